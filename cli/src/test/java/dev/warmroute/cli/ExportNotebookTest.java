package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notebook of an export, executed, says what the report of the same run says. It needs a Python with DuckDB: named by
 * {@code -Dwarmroute.python} or {@code WARMROUTE_PYTHON}, else {@code python3}; without one these tests are skipped.
 */
class ExportNotebookTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path RECORDING = Path.of(System.getProperty("warmroute.root"), "data", "real-vllm-fleet");
    private static final List<String> COMPARED = List.of("hit_pct", "ttft_p50_s", "ttft_p95_s");

    @TempDir
    private static Path directory;

    private static String python;
    private static Path script;

    @BeforeAll
    static void findPython() throws Exception {
        String named = System.getProperty("warmroute.python", System.getenv("WARMROUTE_PYTHON"));
        python = named == null || named.isEmpty() ? "python3" : named;
        assumeTrue(
                hasDuckDb(),
                "no notebook was executed: " + python + " has no DuckDB; name one that has with -Dwarmroute.python");
        script = directory.resolve("run_notebook.py");
        try (var in = ExportNotebookTest.class.getResourceAsStream("run_notebook.py")) {
            Files.copy(in, script);
        }
    }

    private static boolean hasDuckDb() throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import duckdb")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void ofARecording() throws Exception {
        Path export = export("recording", RECORDING.toString());
        JsonNode figures = executed(export);
        JsonNode report = JSON.readTree(export.resolve("report.json").toFile());
        JsonNode row = report.get("scenarios").get(0).get("policies").get(0);
        assertThat(row.get("hit_pct").asDouble()).isBetween(1.0, 99.0);
        assertSame(figures.get("recorded").get("warden"), row);
    }

    @Test
    void ofAWhatIf() throws Exception {
        Path export = export(
                "whatif",
                "workload:lm-warden",
                "--sessions",
                "12",
                "--seconds",
                "60",
                "--policy",
                "random,warden",
                "--seeds",
                "3");
        JsonNode figures = executed(export).get("whatif");
        JsonNode policies = JSON.readTree(export.resolve("report.json").toFile())
                .get("scenarios")
                .get(0)
                .get("policies");
        assertThat(policies).hasSize(2);
        for (JsonNode row : policies) {
            JsonNode here = figures.get(row.get("policy").asText());
            assertSame(here, row);
            assertThat(row.get("misses")).isNotEmpty();
            for (Map.Entry<String, JsonNode> cause : row.get("misses").properties()) {
                assertThat(here.get("misses").get(cause.getKey()).asDouble())
                        .as(cause.getKey())
                        .isCloseTo(cause.getValue().asDouble(), within(1.0));
            }
        }
    }

    private static void assertSame(JsonNode notebook, JsonNode report) {
        for (String figure : COMPARED) {
            double said = report.get(figure).asDouble();
            assertThat(notebook.get(figure).asDouble()).as(figure).isCloseTo(said, within(1e-9 * said));
        }
    }

    private static Path export(String name, String... args) {
        Path out = directory.resolve(name);
        List<String> all = new ArrayList<>(List.of("export"));
        all.addAll(List.of(args));
        all.addAll(List.of("--out", out.toString()));
        StringWriter err = new StringWriter();
        String[] array = all.toArray(String[]::new);
        int code = Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(err, true), array)
                .execute(array);
        assertThat(code).as(err.toString()).isZero();
        return out;
    }

    private static JsonNode executed(Path export) throws Exception {
        Path out = directory.resolve("figures.json");
        Path err = directory.resolve("python.log");
        Process process = new ProcessBuilder(python, script.toString(), export.toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS))
                .as("the notebook ends")
                .isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        List<String> printed = Files.readAllLines(out);
        return JSON.readTree(printed.get(printed.size() - 1));
    }
}
