package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.export.GoldenFile;
import dev.warmroute.router.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportGoldenTest {
    @TempDir
    Path directory;

    @Test
    void markdownOfEverything() {
        GoldenFile.named("full.md").check(new MarkdownReport().render(SampleReports.full()));
    }

    @Test
    void markdownOfADescription() {
        GoldenFile.named("fits.md").check(new MarkdownReport().render(SampleReports.fits()));
    }

    @Test
    void jsonOfAComparison() {
        GoldenFile.named("comparison.json").check(new JsonReport().render(SampleReports.comparison()));
    }

    @Test
    void jsonOfADescription() {
        GoldenFile.named("fits.json").check(new JsonReport().render(SampleReports.fits()));
    }

    @Test
    void jsonHasTheFieldNamesOfTheCommands() {
        JsonNode json = new JsonReport().node(SampleReports.full());
        assertThat(json.at("/capacity/sessions_fit/low").asInt()).isEqualTo(8);
        assertThat(json.at("/capacity/reuse/curve/0/capacity_tokens").asLong()).isEqualTo(4096);
        assertThat(json.at("/scenarios/2/policies/1/hit_pct").asDouble()).isEqualTo(51.3);
        assertThat(json.at("/scenarios/2/policies/1/interval/hit_pct/0").asDouble())
                .isEqualTo(50);
        assertThat(json.at("/scenarios/0").has("wall_s"))
                .as("the same results give the same report")
                .isFalse();
        assertThat(json.at("/verdict/level").asText()).isEqualTo("does_not_fit");
    }

    @Test
    void theThreeWritersMakeTheirDirectory() throws Exception {
        Path file = directory.resolve("a/b/report.json");
        new JsonReport().write(SampleReports.fits(), file);
        assertThat(new ObjectMapper()
                        .readTree(Files.readString(file))
                        .at("/schema_version")
                        .asInt())
                .isEqualTo(1);
        Path taken = Files.createFile(directory.resolve("taken"));
        assertThatThrownBy(() -> new HtmlReport().write(SampleReports.fits(), taken.resolve("report.html")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("report.html");
    }

    @Test
    void aReportOfNothingIsRefused() {
        assertThatIllegalStateException().isThrownBy(() -> new ReportBuilder("empty").build());
    }
}
