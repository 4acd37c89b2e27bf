package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Every argument that names a file or a directory, given what it is not: nothing, the other of the two, an empty one, noise. The
 * command fails with 1 and says so in words that name the path; it never shows a stack trace or calls it an internal error.
 */
class FileArgumentsTest {
    /** {@code @} is the path. */
    private static final List<String> COMMANDS = List.of(
            "capacity @",
            "capacity mooncake:@",
            "capacity --description @",
            "capacity workload:lm-warden --usable-blocks 9 --timing-profile @",
            "whatif @",
            "whatif mooncake:@",
            "whatif claude-code:@",
            "whatif azure:@",
            "whatif fleet:@",
            "whatif workload:lm-warden --warm-prompts @",
            "check @ --trace workload:lm-warden --assert fits",
            "check POLICY --trace @ --assert fits",
            "promote --rollback --token-file @ --router http://127.0.0.1:1",
            "router -c @ --check",
            "router --replica http://127.0.0.1:9 --warm-prompts @ --check",
            "load bench-serve --endpoint http://127.0.0.1:1 --prompts @",
            "load bench-serve --endpoint http://127.0.0.1:1 --system-prompt-file @",
            "sweep @ --out OUT",
            "export @ --out OUT",
            "export bench-compare @ @ --out OUT",
            "trace info @",
            "trace head @",
            "trace verify @",
            "trace state @ --at +1s",
            "trace why @ 0123",
            "trace cut @ --out OUT",
            "trace join @ @ --out OUT",
            "trace anonymise @ --salt SALT --out OUT",
            "trace import mooncake:@ -o OUT",
            "trace export @ --to mooncake -o OUT",
            "validate fleet @",
            "validate oracle @",
            "validate warm @",
            "validate published @",
            "validate rule @ --fleets 1",
            "validate seed @");

    @TempDir
    private Path directory;

    @BeforeEach
    void clean() throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), "policy: warden\n");
        Files.writeString(directory.resolve("empty"), "");
        Files.write(directory.resolve("noise"), noise());
        Files.createDirectories(directory.resolve("folder"));
    }

    private static byte[] noise() {
        byte[] bytes = "\u0000\u0001{[\"noise: -\n\tno, format\n}".repeat(40).getBytes(StandardCharsets.UTF_8);
        for (int i = 3; i < bytes.length; i += 7) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    static Stream<Arguments> cases() {
        return COMMANDS.stream()
                .flatMap(c -> Stream.of("missing", "empty", "noise", "folder").map(what -> Arguments.of(c, what)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cases")
    void whatIsNoSuchFileIsSaidInOneLineThatNamesIt(String command, String what) {
        Path path = directory.resolve(what);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] args = Arrays.stream(command.split(" "))
                .map(a -> a.replace("@", path.toString())
                        .replace("OUT", directory.resolve("out").toString())
                        .replace("POLICY", directory.resolve("policy.yaml").toString())
                        .replace("SALT", directory.resolve("salt").toString()))
                .toArray(String[]::new);
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        String said = err.toString();
        assertThat(code).as(said + out).isEqualTo(ExitCode.FAILED);
        assertThat(said)
                .contains(path.toString())
                .doesNotContain("\tat ", "Exception", "internal error", "null")
                .doesNotContain("\u001b[");
        assertThat(said.lines().filter(l -> l.startsWith("warmroute: "))).hasSize(1);
        Path written = directory.resolve("out");
        assertThat(written.resolve("trace.json")).as("no trace").doesNotExist();
        assertThat(command.startsWith("trace import ") || !Files.exists(written))
                .as("nothing half written, but for what the next import removes")
                .isTrue();
    }

    /** A command whose arguments name files, and that no line above has, would not be looked at. */
    @Test
    void everyCommandThatReadsFilesIsInTheTable() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        assertThat(leaves(Main.commandLine(nowhere, nowhere))
                        .filter(c -> c.getCommandSpec().args().stream()
                                .anyMatch(a -> List.of("FILE", "DIR", "TRACE", "GRID", "POLICY.yaml", "COLD")
                                                .contains(a.paramLabel())
                                        && a.isPositional()))
                        .map(c -> c.getCommandSpec().qualifiedName().substring("warmroute ".length())))
                .allSatisfy(name -> assertThat(COMMANDS).anyMatch(c -> c.startsWith(name + ' ')));
    }

    private static Stream<CommandLine> leaves(CommandLine line) {
        return line.getSubcommands().isEmpty()
                ? Stream.of(line)
                : Stream.concat(
                        Stream.of(line), line.getSubcommands().values().stream().flatMap(FileArgumentsTest::leaves));
    }
}
