package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in {@code deploy/}: every command in them is one, and every router.yaml is accepted. */
class DeploymentTest {
    private static final Path DEPLOY =
            Path.of(System.getProperty("warmroute.root", "..")).resolve("deploy");

    @TempDir
    private Path directory;

    private static List<JsonNode> documents(String file) throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        return yaml.readerFor(JsonNode.class)
                .<JsonNode>readValues(
                        yaml.getFactory().createParser(DEPLOY.resolve(file).toFile()))
                .readAll();
    }

    private static List<String> words(JsonNode list) {
        List<String> words = new ArrayList<>();
        list.forEach(w -> words.add(w.asText()));
        return words;
    }

    static Stream<List<String>> commands() throws IOException {
        List<List<String>> commands = new ArrayList<>();
        for (JsonNode document : documents("docker/compose.yaml")) {
            document.findValues("command").forEach(c -> commands.add(words(c)));
        }
        for (JsonNode document : documents("kubernetes/router.yaml")) {
            document.findValues("args").forEach(c -> commands.add(words(c)));
        }
        try (Stream<Path> units = Files.list(DEPLOY.resolve("systemd"))) {
            for (Path unit : units.sorted().toList()) {
                Files.readAllLines(unit).stream()
                        .filter(line -> line.startsWith("ExecStart"))
                        .map(line -> line.replaceFirst("^\\w+=\\S+ ", "").replace("${KAFKA}", "kafka:9092"))
                        .forEach(line -> commands.add(Arrays.asList(line.split(" "))));
            }
        }
        return commands.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsUnderstood(List<String> words) {
        String[] args = words.toArray(String[]::new);
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        assertThat(Main.commandLine(nowhere, nowhere, args)
                        .parseArgs(args)
                        .subcommand()
                        .commandSpec()
                        .name())
                .isEqualTo(args[0]);
    }

    @Test
    void thereAreCommandsInEveryKindOfFile() throws IOException {
        assertThat(commands().map(c -> c.get(0)))
                .contains("router", "record", "replica", "topics")
                .hasSizeGreaterThan(7);
    }

    static Stream<String> configurations() throws IOException {
        return Stream.of(
                Files.readString(DEPLOY.resolve("docker/router.yaml")),
                documents("kubernetes/router.yaml")
                        .get(0)
                        .at("/data/router.yaml")
                        .asText());
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void everyConfigurationIsAccepted(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("router.yaml"), yaml.replaceAll("\\$\\{\\w+}", "given"));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        String[] check = {"router", "-c", file.toString(), "--check"};
        assertThat(Main.commandLine(out, out, check).execute(check))
                .as(said.toString())
                .isZero();
    }

    @Test
    void theCompletionKnowsCommandsAndOptions() {
        StringWriter script = new StringWriter();
        PrintWriter out = new PrintWriter(script, true);
        assertThat(Main.commandLine(out, out, "completion").execute("completion"))
                .isZero();
        assertThat(script.toString()).contains("complete ", "whatif", "'--arrival-rate'", "bench-serve");
    }
}
