package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private record Ran(int code, String out, String err) {}

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), args).execute(args);
        return new Ran(code, out.toString(), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | nosuch | Unmatched argument",
                "2 | whatif | Missing required parameter",
                "2 | whatif workload:lm-warden --polcy x | Possible solutions: --policy",
                "2 | whatif workload:lm-warden --serial --open-loop | mutually exclusive",
                "1 | whatif workload:nosuch | lm-warden",
                "1 | whatif workload:lm-warden --policy nosuch | round_robin",
                "1 | whatif workload:lm-warden --policy warden:nosuch=1 | has no parameter 'nosuch'",
                "1 | whatif nosuch:file | mooncake",
                "1 | capacity mooncake:/nosuch/file | /nosuch/file",
                "1 | trace verify /nosuch | /nosuch",
                "1 | router -c /nosuch/router.yaml | /nosuch/router.yaml",
                "1 | validate oracle /nosuch/file | /nosuch/file",
                "1 | validate fleet /nosuch/file | /nosuch/file",
                "2 | validate fleet --mode maybe x | recorded, what-if",
            })
    void whatIsWrongIsSaidInWordsWithTheRightExitCode(int code, String args, String said) {
        Ran ran = run(args.split(" "));
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
        assertThat(ran.err()).contains(said).doesNotContain("\tat ").doesNotContain("Exception");
    }

    @Test
    void everyCommandHasHelpWithAnExample() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        Main.commandLine(nowhere, nowhere).getSubcommands().values().forEach(MainTest::requireExample);
    }

    @Test
    void onlyTheCommandThatIsNamedIsMadeAndAnyOtherWordStillFindsAll() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        assertThat(Main.commandLine(nowhere, nowhere, "--debug", "whatif", "trace").getSubcommands()).containsOnlyKeys("whatif");
        assertThat(Main.commandLine(nowhere, nowhere, "--help").getSubcommands()).hasSize(Commands.values().length);
        assertThat(run("whatiff").err()).contains("Did you mean").contains("warmroute whatif");
        assertThat(run("whatif", "nosuch:file", "--debug").err()).contains("\tat dev.warmroute");
    }

    private static void requireExample(CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            assertThat(command.getUsageMessage()).contains("Example");
        } else {
            command.getSubcommands().values().forEach(MainTest::requireExample);
        }
    }

    @Test
    void capacityAnswersInOneJsonObject() throws Exception {
        Path trace = directory.resolve("small.jsonl");
        Files.writeString(trace, """
                {"timestamp":0,"input_length":1100,"output_length":9,"hash_ids":[0,1,2]}
                {"timestamp":5,"input_length":1600,"output_length":9,"hash_ids":[0,1,3,4]}
                """);
        Ran ran = run("capacity", "mooncake:" + trace, "--block-size", "512", "--at", "1024", "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode reuse = JSON.readTree(ran.out()).path("reuse");
        assertThat(reuse.path("block_references").asInt()).isEqualTo(7);
        assertThat(reuse.path("distinct_blocks").asInt()).isEqualTo(5);
        // partial blocks are referred to but never hit: 2 x 512 of 2,700 prompt tokens
        JsonNode unlimited = reuse.path("curve").get(reuse.path("curve").size() - 1);
        assertThat(unlimited.path("hit_pct").asDouble()).isEqualTo(100.0 * 1024 / 2700);
    }

    @Test
    void aWhatIfSaysTheSameForAnyNumberOfThreads() throws Exception {
        JsonNode one = whatIf("1");
        assertThat(whatIf("4")).isEqualTo(one);
        assertThat(one.path("policies")).hasSize(2);
    }

    private static JsonNode whatIf(String threads) throws Exception {
        Ran ran = run("whatif", "workload:lm-warden", "--sessions", "4", "--seconds", "60", "--seeds", "2", "--json", "--threads",
                threads);
        JsonNode node = JSON.readTree(ran.out());
        ((ObjectNode) node).remove("wall_s");
        return node;
    }
}
