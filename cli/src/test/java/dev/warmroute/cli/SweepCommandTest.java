package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
    @TempDir
    private Path directory;

    private Path grid;
    private Path out;

    private record Ran(int code, String out, String err) {}

    private static Ran run(Object... args) {
        String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), words)
                .execute(words);
        return new Ran(code, out.toString(), err.toString());
    }

    @BeforeEach
    void write() throws IOException {
        grid = directory.resolve("grid.yaml");
        out = directory.resolve("out");
        grid(2);
    }

    private void grid(int seeds) throws IOException {
        Files.writeString(grid, """
                workload: lm-warden
                seconds: 10
                policies: [random, warden]
                sessions: 2
                capacities: [100, 2095]
                seeds: 1..%d
                """.formatted(seeds));
    }

    @Test
    void aSweepLeavesATableAndSaysWhatIsInIt() throws IOException {
        Ran ran = run("sweep", grid, "--out", out);
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("8 scenarios of workload:lm-warden, 8 of them computed in ")
                .contains("4 scenarios did not go as asked for")
                .contains("table: " + out.resolve("scenarios.parquet"));
        List<String> csv = Files.readAllLines(out.resolve("scenarios.csv"));
        assertThat(csv).hasSize(9);
        assertThat(csv.get(0)).startsWith("schema_version,scenario,id,policy,sessions,capacity,usable_blocks,");
        assertThat(csv.get(1)).contains("longer than a replica can serve");
        assertThat(csv.get(8)).startsWith("1,7,").contains(",warden,2,2095,2095,");
        assertThat(out.resolve("scenarios.tmp")).doesNotExist();
    }

    @Test
    void aSweepGoesOnWhereItWasAndGrows() throws IOException {
        assertThat(run("sweep", grid, "--out", out).code()).isZero();
        Ran twice = run("sweep", grid, "--out", out);
        assertThat(twice.code()).isEqualTo(1);
        assertThat(twice.err()).contains("has a sweep already: go on with it with --resume");
        grid(3);
        Ran grown = run("sweep", grid, "--out", out, "--resume", "--json");
        assertThat(grown.code()).as(grown.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(grown.out());
        assertThat(json.path("scenarios").asInt()).isEqualTo(12);
        assertThat(json.path("computed").asInt()).isEqualTo(4);
        assertThat(json.path("wrong").asInt()).isEqualTo(6);
        assertThat(json.path("policies").path(1).path("policy").asText()).isEqualTo("warden");
        assertThat(json.path("policies").path(1).path("points").asInt()).isEqualTo(1);
        Path fresh = directory.resolve("fresh");
        assertThat(run("sweep", grid, "--out", fresh, "--threads", 1).code()).isZero();
        for (String file : List.of("results.jsonl", "scenarios.csv", "scenarios.parquet", "sweep.json")) {
            assertThat(out.resolve(file)).hasSameBinaryContentAs(fresh.resolve(file));
        }
    }

    @Test
    void whoComputesIsSaidOnce() {
        Ran ran = run("sweep", grid, "--out", out, "--workers", 2, "--threads", 2);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("mutually exclusive");
        assertThat(run("sweep", grid, "--out", out, "--prefix", "p").code()).isEqualTo(2);
    }

    @Test
    void theTopicsOfSweepsAreSaidWhenAskedFor() {
        assertThat(run("topics").out()).doesNotContain("sweep");
        assertThat(run("topics", "--sweeps", "--prefix", "p").out())
                .contains("p.sweep-tasks")
                .contains("p.sweep-results  (compacted)");
    }
}
