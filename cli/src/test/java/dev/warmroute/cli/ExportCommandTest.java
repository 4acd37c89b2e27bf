package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path ROOT = Path.of(System.getProperty("warmroute.root"));
    private static final String RECORDING = ROOT.resolve("data/real-vllm-fleet").toString();
    private static final String MOONCAKE = "mooncake:" + ROOT.resolve("data/examples/mooncake-small.jsonl");

    @TempDir
    private Path directory;

    private record Ran(int code, String out, String err) {}

    private Ran export(String name, String... args) {
        List<String> all = new ArrayList<>(List.of("export"));
        all.addAll(List.of(args));
        all.addAll(List.of("--out", directory.resolve(name).toString()));
        return run(all.toArray(String[]::new));
    }

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), args)
                .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }

    private Map<String, String> files(String name) throws IOException {
        Path root = directory.resolve(name);
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                content.put(root.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return content;
    }

    @Test
    void aRecordingHasEveryTableThatItCan() throws Exception {
        Ran ran = export("a", RECORDING, "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode rows = JSON.readTree(ran.out()).get("rows");
        assertThat(rows.fieldNames())
                .toIterable()
                .containsExactly("decisions", "mrc", "replica_ts", "rule", "sessions", "sweep", "turns");
        assertThat(rows.get("turns").asLong()).isEqualTo(192);
        assertThat(files("a").keySet())
                .contains("notebook.ipynb", "report.json", "export.json", "tables/turns.parquet", "tables/turns.csv")
                .anyMatch(f -> f.startsWith("charts/") && f.endsWith(".svg"))
                .noneMatch(f -> f.endsWith(".tmp"));
    }

    @Test
    void theSameBytesForAnyNumberOfThreads() throws Exception {
        String[] question = {
            MOONCAKE,
            "--policy",
            "random,warden",
            "--seeds",
            "3",
            "--replicas",
            "2",
            "--usable-blocks",
            "900",
            "--block-size",
            "512"
        };
        assertThat(export("one", with(question, "--threads", "1")).code()).isZero();
        assertThat(export("four", with(question, "--threads", "4")).code()).isZero();
        assertThat(files("one")).isEqualTo(files("four"));
    }

    @Test
    void anEarlierExportIsReplacedWhole() throws Exception {
        assertThat(export("a", MOONCAKE, "--replicas", "2", "--policy", "warden,round_robin", "--charts", "png")
                        .code())
                .isZero();
        assertThat(files("a").keySet()).anyMatch(f -> f.endsWith(".png")).contains("tables/sweep.parquet");
        assertThat(export("a", MOONCAKE, "--format", "csv", "--charts", "none").code())
                .isZero();
        assertThat(files("a").keySet())
                .contains("tables/turns.csv")
                .noneMatch(f -> f.endsWith(".parquet")
                        || f.startsWith("charts/")
                        || f.endsWith(".ipynb")
                        || f.contains("sweep"));
    }

    @Test
    void anExportThatFailsLeavesTheEarlierOneOrNothing() throws Exception {
        Path broken = Files.writeString(
                directory.resolve("broken.jsonl"),
                "{\"timestamp\":0,\"input_length\":1100,\"output_length\":9,\"hash_ids\":[0,1,2]}\nnothing\n");
        assertThat(export("a", "mooncake:" + broken).code()).isEqualTo(1);
        assertThat(directory.resolve("a")).doesNotExist();
        assertThat(export("a", MOONCAKE).code()).isZero();
        Map<String, String> earlier = files("a");
        assertThat(earlier).containsKey("tables/turns.csv");
        for (String wrong : List.of("/nosuch", "mooncake:" + broken)) {
            assertThat(export("a", wrong).code()).isEqualTo(1);
            assertThat(files("a")).isEqualTo(earlier);
        }
        // As kill -9 leaves it, in a new directory and in this one.
        for (String name : List.of("a", "new")) {
            Path tables = Files.createDirectories(directory.resolve(name).resolve(".unfinished-export/tables"));
            Files.writeString(tables.resolve("turns.csv.tmp"), "half");
            assertThat(export(name, MOONCAKE).code()).isZero();
            assertThat(files(name)).isEqualTo(earlier);
        }
    }

    @Test
    void whatIsNoExportIsLeftAlone() throws Exception {
        Files.writeString(Files.createDirectory(directory.resolve("mine")).resolve("thesis.txt"), "x");
        Ran ran = export("mine", MOONCAKE);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("not empty and not an earlier export");
        assertThat(files("mine")).containsOnlyKeys("thesis.txt");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | | Missing required parameter: 'TRACE'",
                "1 | workload:lm-warden | say which policies",
                "1 | mooncake:x --seeds 3 | --seeds says how to replay",
                "1 | mooncake:x --format xls | the formats are parquet, csv",
                "1 | mooncake:x --charts gif | the formats are svg, png",
                "1 | workload:lm-warden --policy warden,warden | names warden twice",
                "1 | /nosuch | there is no trace '/nosuch'",
            })
    void whatIsWrongIsSaid(int code, String args, String said) throws Exception {
        Ran ran = export("x", args == null ? new String[0] : args.split(" "));
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
        assertThat(ran.err()).contains(said).doesNotContain("Exception");
    }

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
    }
}
