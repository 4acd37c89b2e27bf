package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.policy.Policies;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
    /** A word as the shell takes it. */
    private static final Pattern QUOTED = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private record Ran(int code, String out, String err) {}

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), args)
                .execute(args);
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
                "1 | whatif workload:lm-warden --warm-prompts auto:0 | expected auto:1 to auto:64",
                "1 | whatif workload:lm-warden --warm-prompts /nosuch.json | no file /nosuch.json",
                "1 | whatif workload:lm-warden --policy nosuch | round_robin",
                "1 | whatif workload:lm-warden --policy warden:nosuch=1 | has no parameter 'nosuch'",
                "1 | whatif nosuch:file | mooncake",
                "1 | policies wardn | did you mean 'warden'?",
                "1 | capacity mooncake:/nosuch/file | /nosuch/file",
                "2 | capacity | --description",
                "1 | capacity --description contxt=5 | nearest: context",
                "1 | capacity --description capacity_tokens=9,context=5 --usable-blocks 7 | leave out the options of the fleet",
                "1 | capacity --description capacity_tokens=9,context=5 --timing-profile x | leave out the options of the fleet",
                "1 | capacity --description capacity_tokens=999999999999999,context=1000 | 1 to 2147483645 blocks",
                "1 | capacity --description capacity_tokens=9,context=5 --window 5 | working set of a trace",
                "1 | capacity x --usable-blocks 9 --cpu-offload-gib 4 | needs --model and --gpu",
                "1 | validate rule --fleets 0 | at least one synthetic fleet",
                "1 | validate rule --threads 0 | threads must be at least 1",
                "1 | capacity x --usable-blocks 9 --timing-profile /nosuch/profile | /nosuch/profile",
                "1 | whatif workload:lm-warden --replicas 999999999 | 1 to 10000 replicas",
                "1 | whatif workload:lm-warden --usable-blocks 2147483647 | --usable-blocks must be 1 to 2147483645",
                "1 | whatif workload:lm-warden --block-size 99999 | 33520 tokens are 0 of 99999",
                "1 | whatif workload:lm-warden --tolerance 5 | workload:lm-warden is no recording: leave out --tolerance",
                "1 | whatif mooncake:x --seconds 5 | a trace is replayed to its end: leave out --seconds",
                "1 | whatif mooncake:x --open-loop --sessions 4 | recorded time: leave out --sessions",
                "1 | whatif mooncake:x --serial --sessions 4 | one request after another: leave out --sessions",
                "1 | whatif mooncake:x --open-loop --arrival-rate 4 | recorded time: leave out --arrival-rate",
                "1 | whatif mooncake:x --serial --arrival-rate 4 | one request after another: leave out --arrival-rate",
                "1 | whatif workload:lm-warden --model Qwen3-4C --gpu L4 | nearest: Qwen3-4B",
                "1 | whatif workload:lm-warden --model Qwen3-4B --gpu L5 | nearest: L4",
                "1 | whatif workload:lm-warden --model Qwen3-4B | --model needs --gpu",
                "1 | whatif workload:lm-warden --kv-dtype fp8 | without --model and --gpu",
                "2 | check --trace x --assert fits | Missing required parameter: 'POLICY.yaml'",
                "2 | check x --assert fits | Missing required option: '--trace=TRACE'",
                "2 | check x --trace x | Missing required option: '--assert=ASSERTION'",
                "1 | check /nosuch/policy.yaml --trace x --assert fits | /nosuch/policy.yaml: there is no such file",
                "2 | promote --rollback x | leave out policy, trace and assertions",
                "1 | promote --rollback --token x --router localhost:8081 | looks like http://127.0.0.1:8081",
                "1 | promote --rollback --token x --router http://127.0.0.1:1 | http://127.0.0.1:1 cannot be reached",
                "1 | promote --rollback --token-file /nosuch/token | there is no file /nosuch/token",
                "1 | promote --rollback --token-file /nosuch/token --token x | either --token or --token-file",
                "1 | replica --gpu L4 | --gpu needs --model",
                "1 | whatif workload:lm-warden --cpu-offload-gib 8 | needs --model and --gpu",
                "1 | capacity x --model Qwen3-4B --gpu L4 --cpu-offload-gib 4 --no-simulation | leave out --no-simulation or --cpu-offload-gib",
                "1 | replica --model Llama-3.1-70B --gpu L4 | does not fit one card",
                "1 | trace verify /nosuch | /nosuch",
                "1 | router -c /nosuch/router.yaml | /nosuch/router.yaml",
                "2 | router --check | specify one of these",
                "2 | router -c x --replica http://127.0.0.1:9 | mutually exclusive",
                "1 | router --replica nonsense --check | models[0].replicas[0].url: must be a URL",
                "1 | router --replica http://127.0.0.1:9 --port 0 | give --model NAME",
                "1 | router --replica http://127.0.0.1:9 --warm-prompts /nosuch/p --check | /nosuch/p: there is no such file",
                "1 | router --replica http://127.0.0.1:9 --model m --warm-prompts /nosuch/p --warm-prompts-strict | /nosuch/p",
                "1 | router --replica http://127.0.0.1:9 --model m --warm-prompts-strict | there are no warm prompts; give --warm-prompts FILE",
                "1 | load bench-serve --prompts /nosuch/p | /nosuch/p",
                "1 | load bench-serve --cold | --system-prompt-file",
                "1 | load bench-serve --concurrency 0 | --concurrency 0: expected 1 to 4096 requests",
                "1 | load bench-serve --endpoint localhost:1 | expected http://host:port",
                "1 | export bench-compare /nosuch/cold.csv /nosuch/warm.csv | /nosuch/cold.csv",
                "2 | export | bench-compare",
                "1 | validate warm /nosuch/table.csv | /nosuch/table.csv",
                "1 | validate warm --system-tokens 1 | Qwen3",
                "1 | validate warm --user-tokens 0 | --user-tokens 0: expected 1",
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
        assertThat(Main.commandLine(nowhere, nowhere, "--debug", "whatif", "trace")
                        .getSubcommands())
                .containsOnlyKeys("whatif");
        assertThat(Main.commandLine(nowhere, nowhere, "--help").getSubcommands())
                .hasSize(Commands.values().length);
        assertThat(run("whatiff").err()).contains("Did you mean").contains("warmroute whatif");
        assertThat(run("whatif", "nosuch:file", "--debug").err()).contains("\tat dev.warmroute");
    }

    @Test
    void policiesAreListedAndThoseThatAreNamedWithTheirParameters() throws Exception {
        assertThat(run("policies").out().lines()).hasSize(Policies.values().length);
        assertThat(run("policies", "affinity", "hash").out()).contains("warden ", "overflow_threshold", "hash ");
        JsonNode warden = JSON.readTree(run("policies", "warden", "--json").out())
                .path("policies")
                .path(0);
        assertThat(warden.path("name").asText()).isEqualTo("warden");
        assertThat(warden.path("parameters").path(0).path("by_default").isMissingNode())
                .isFalse();
    }

    @Test
    void theExamplesOfARouterAreChecked() {
        Ran ran = run(
                "router",
                "-c",
                "../data/examples/router.yaml",
                "--warm-prompts",
                "../data/examples/warm-prompts.json",
                "--check");
        assertThat(ran.out()).contains("is valid: 1 models, 2 replicas, 2 warm prompts");
    }

    @Test
    void everyExampleInHelpIsACommandThatIsUnderstood() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        List<String> examples = new ArrayList<>();
        collect(Main.commandLine(nowhere, nowhere), examples);
        assertThat(examples).hasSizeGreaterThan(30);
        for (String example : examples) {
            String[] args = QUOTED.matcher(example)
                    .results()
                    .map(m -> m.group().replaceAll("['\"]", ""))
                    .skip(1)
                    .toArray(String[]::new);
            assertThatCode(() -> Main.commandLine(nowhere, nowhere).parseArgs(args))
                    .as(example)
                    .doesNotThrowAnyException();
        }
    }

    private static void collect(CommandLine command, List<String> examples) {
        Arrays.stream(command.getCommandSpec().usageMessage().footer())
                .map(line -> line.replace("%%", "%").strip())
                .filter(l -> l.startsWith("warmroute "))
                .forEach(examples::add);
        command.getSubcommands().values().forEach(c -> collect(c, examples));
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
        Ran ran = run(
                "whatif",
                "workload:lm-warden",
                "--sessions",
                "4",
                "--seconds",
                "60",
                "--seeds",
                "2",
                "--json",
                "--threads",
                threads);
        JsonNode node = JSON.readTree(ran.out());
        ((ObjectNode) node).remove("wall_s");
        return node;
    }

    @Test
    void ofASingleSessionAWhatIfSaysThatItDoesNotKnowHowSureItIs() {
        String out = run(
                        "whatif",
                        "workload:lm-warden",
                        "--sessions",
                        "1",
                        "--seconds",
                        "10",
                        "--seeds",
                        "1",
                        "--policy",
                        "random,warden")
                .out();
        assertThat(out)
                .containsPattern("hit % +\\S+ +\\? +\\? +\\S+ +\\? +\\?")
                .contains("? = not told apart", "none from a single one");
    }

    @Test
    void whatWouldMoveAFleetIsATableAndLeftOutOnRequest() throws Exception {
        Path file = directory.resolve("fleet.yaml");
        Files.writeString(file, "replicas: 2\ncapacity_tokens: 33520\nsessions: 8\ncontext: 12500\nshared: 3500\n");
        String out = run("capacity", "--description", file.toString()).out();
        assertThat(out)
                .contains(
                        "LIMIT, each by itself",
                        "What would move it",
                        "fp8 cache: ",
                        "policy fit: ",
                        "days of growth not known");
        JsonNode without = JSON.readTree(
                run("capacity", "--description", file.toString(), "--no-advice", "--growth-per-day", "2", "--json")
                        .out());
        assertThat(without.path("advice")).isEmpty();
        assertThat(without.path("headroom").path("growth_tokens_per_day").asDouble())
                .isPositive();
        assertThat(without.path("checks").path("rule").asText()).isEqualTo("does_not_fit");
        assertThat(without.path("working_set").isNull()).isTrue();
        assertThat(without.path("limits").path(0).path("limit").asText()).isEqualTo("cache");
    }

    @Test
    void theRuleIsHeldAgainstFleetsDrawnAtRandom() throws Exception {
        Ran ran = run("validate", "rule", "--fleets", "24", "--seed", "5", "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode answer = JSON.readTree(ran.out());
        assertThat(answer.path("false_greens").asInt()).isZero();
        assertThat(answer.path("untested").asInt()).isZero();
        assertThat(answer.path("synthetic")).hasSize(24);
    }

    @Test
    void aRuleThatSaysFitsOfNoFleetIsNotTested() {
        Ran ran = run("validate", "rule", "--fleets", "3", "--seed", "5");
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        assertThat(ran.out()).contains("0 false greens", "so nothing is tested");
    }

    @Test
    void aDescriptionThatDoesNotFitIsAnsweredWithNo() throws Exception {
        Ran ran = run(
                "capacity",
                "--description",
                "replicas=7,capacity_tokens=195000,sessions=26,context=58000,shared=5000",
                "--no-simulation",
                "--json");
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        JsonNode answer = JSON.readTree(ran.out());
        assertThat(answer.path("verdict").asText()).isEqualTo("does_not_fit");
        assertThat(answer.path("sessions_fit").path("high").asInt()).isEqualTo(21);
        assertThat(answer.path("headroom").path("sessions").asInt()).isEqualTo(-5);
        assertThat(run(
                                "capacity",
                                "--description",
                                "replicas=7,capacity_tokens=195000,context=58000,shared=5000",
                                "--sessions",
                                "16",
                                "--no-simulation")
                        .out())
                .contains("FITS", "5 sessions");
    }

    @Test
    void theCapacityIsDerivedFromModelAndCardUnlessItIsGiven() throws Exception {
        String[] asked = {
            "whatif",
            "workload:lm-warden",
            "--sessions",
            "4",
            "--seconds",
            "20",
            "--seeds",
            "1",
            "--json",
            "--model",
            "Qwen3-4B",
            "--gpu",
            "RTX A4000",
            "--kv-dtype",
            "fp8"
        };
        JsonNode derived = JSON.readTree(run(asked).out()).path("fleet");
        assertThat(derived.path("capacity_source").asText()).isEqualTo("derived");
        assertThat(derived.path("usable_blocks").asInt()).isBetween(4_000, 5_600);
        assertThat(derived.path("capacity").asText()).contains("Qwen3-4B on RTX A4000");
        String[] given = Arrays.copyOf(asked, asked.length + 2);
        given[asked.length] = "--usable-blocks";
        given[asked.length + 1] = "2095";
        JsonNode said = JSON.readTree(run(given).out()).path("fleet");
        assertThat(said.path("capacity_source").asText()).isEqualTo("given");
        assertThat(said.path("usable_blocks").asInt()).isEqualTo(2095);
    }

    @Test
    void aWorkloadsCacheKeepsItsTokensUnderAnotherBlockSize() throws Exception {
        JsonNode fleet = JSON.readTree(run(
                                "whatif",
                                "workload:lm-warden",
                                "--sessions",
                                "4",
                                "--seconds",
                                "20",
                                "--seeds",
                                "1",
                                "--json",
                                "--block-size",
                                "32")
                        .out())
                .path("fleet");
        assertThat(fleet.path("block_size").asInt()).isEqualTo(32);
        assertThat(fleet.path("usable_blocks").asInt()).isEqualTo(33_520 / 32);
    }

    @Test
    void aHybridBringsItsBlockSizeAndItsWarnings() {
        String out = run(
                        "whatif",
                        "workload:lm-warden",
                        "--sessions",
                        "4",
                        "--seconds",
                        "20",
                        "--seeds",
                        "1",
                        "--model",
                        "Qwen3.6-27B-FP8",
                        "--gpu",
                        "H100")
                .out();
        assertThat(out).contains("blocks of 784 tokens (derived)", "Warning   Qwen3.5-27B has recurrent states");
    }

    @Test
    void whatTheEnginesOfARecordingReportedGoesBeforeWhatIsDerived() throws Exception {
        String trace = Path.of(System.getProperty("warmroute.root"), "data", "real-vllm-fleet")
                .toString();
        JsonNode fleet = JSON.readTree(run("whatif", trace, "--policy", "warden", "--seeds", "1", "--json")
                        .out())
                .path("fleet");
        assertThat(fleet.path("capacity_source").asText()).isEqualTo("reported");
        assertThat(fleet.path("replicas").asInt()).isEqualTo(4);
        assertThat(fleet.path("block_size").asInt()).isEqualTo(32);
        assertThat(fleet.path("usable_blocks").asInt()).isEqualTo(299);
        Ran named =
                run("whatif", trace, "--policy", "warden", "--seeds", "1", "--model", "Qwen3-4B", "--gpu", "RTX A4000");
        assertThat(named.out())
                .contains(
                        "299 blocks of 32 tokens (reported)", "the reported capacity is 9568 tokens, the derived one");
        assertThat(run("capacity", trace, "--sessions", "16", "--no-simulation").out())
                .contains("(reported): 300 blocks of 32 tokens, reported by the engines");
    }
}
