package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --report} writes. */
class ReportOptionTest {
    private static final Path ROOT = Path.of(System.getProperty("warmroute.root"));
    private static final Path RECORDING = ROOT.resolve("data/real-vllm-fleet");
    private static final Path CLAUDE = ROOT.resolve("../shared/data/claude-code/claude_code_ctx200k_b512.jsonl.gz");

    @TempDir
    private Path directory;

    private String err = "";

    private int run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = Main.commandLine(new PrintWriter(out, true), new PrintWriter(errors, true), args)
                .execute(args);
        err = errors.toString();
        return code;
    }

    private JsonNode json() throws Exception {
        return new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    }

    private List<String> plots() throws Exception {
        List<String> plots = new ArrayList<>();
        json().get("charts").forEach(c -> plots.add(c.get("plot").asText()));
        return plots;
    }

    private ReportFigures figures() throws Exception {
        return ReportFigures.of(directory.resolve("report.html"), directory.resolve("report.json"));
    }

    @Test
    void aRecordingsReportHasEveryFigureInItsJsonAndSaysWhereItComesFrom() throws Exception {
        assertThat(run(
                        "whatif",
                        RECORDING.toString(),
                        "--policy",
                        "warden,random",
                        "--seeds",
                        "1",
                        "--tolerance",
                        "100",
                        "--report",
                        directory.toString()))
                .as(err)
                .isZero();
        assertThat(figures().missing()).isEmpty();
        assertThat(figures().found()).isGreaterThan(500);
        assertThat(plots()).contains("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P12", "P13");
        JsonNode provenance = json().get("provenance");
        assertThat(provenance.get("offsets").asText()).contains("decisions");
        assertThat(provenance.get("machine").asText()).contains("0.32.0");
        assertThat(provenance.get("capacity_source").asText()).isEqualTo("reported");
        assertThat(provenance.get("command").asText())
                .startsWith("warmroute whatif ")
                .contains("--seeds 1");
        assertThat(json().get("scenarios")
                        .get(0)
                        .get("self_replay")
                        .get("faithful")
                        .asBoolean())
                .isTrue();
        assertThat(json().get("doubt").isNull()).isTrue();
        byte[] pdf = Files.readAllBytes(directory.resolve("report.pdf"));
        assertThat(new String(pdf, 0, 5, StandardCharsets.ISO_8859_1)).isEqualTo("%PDF-");
        assertThat(directory.resolve("report.md")).isNotEmptyFile();
        assertThat(directory.resolve("tables")).isNotEmptyDirectory();
    }

    @Test
    void aReplayThatMissesTheRecordingStandsAboveEveryFigure() throws Exception {
        Path page = directory.resolve("what-if.html");
        assertThat(run(
                        "whatif",
                        RECORDING.toString(),
                        "--policy",
                        "warden",
                        "--seeds",
                        "1",
                        "--report",
                        page.toString()))
                .as(err)
                .isZero();
        String html = Files.readString(page);
        assertThat(html.indexOf("Not faithful")).isPositive().isLessThan(html.indexOf("<data"));
        assertThat(html).contains("Everything below may be as wrong");
    }

    @Test
    void aFileThatNoReportCanBeIsRefusedBeforeAnythingIsComputed() {
        assertThat(run(
                        "capacity",
                        "--description",
                        "replicas=1,capacity_tokens=1000,sessions=1,context=100",
                        "--report",
                        "a.doc"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(err).contains(".html, .md, .json, .pdf").contains("a.doc").doesNotContain("simulated");
    }

    @Test
    void aTracesCapacityIsSeenFromInside() throws Exception {
        Path trace = ROOT.resolve("data/examples/mooncake-small.jsonl");
        assertThat(run(
                        "capacity",
                        "mooncake:" + trace,
                        "--block-size",
                        "512",
                        "--usable-blocks",
                        "200",
                        "--replicas",
                        "2",
                        "--report",
                        directory.toString()))
                .as(err)
                .isIn(ExitCode.DONE, ExitCode.ANSWER_IS_NO);
        assertThat(figures().missing()).isEmpty();
        assertThat(plots()).contains("P1", "P6", "P4", "P7");
        assertThat(json().get("plots_left_out").toString()).contains("P11");
    }

    @Test
    void theReportOfALargeTraceIsSmallAndCompleteInItsJson() throws Exception {
        assumeThat(CLAUDE).as("the Claude Code trace of ../shared").exists();
        assertThat(run(
                        "whatif",
                        "mooncake:" + CLAUDE,
                        "--policy",
                        "round_robin,warden",
                        "--replicas",
                        "8",
                        "--block-size",
                        "512",
                        "--usable-blocks",
                        "4000",
                        "--seeds",
                        "1",
                        "--report",
                        directory.toString()))
                .as(err)
                .isZero();
        assertThat(Files.size(directory.resolve("report.html"))).isLessThan(3_000_000);
        assertThat(figures().missing()).isEmpty();
        assertThat(json().get("provenance").get("trace").get("requests").asLong())
                .isEqualTo(33_807);
    }
}
