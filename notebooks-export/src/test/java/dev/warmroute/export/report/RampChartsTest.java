package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.simulator.load.RampRow;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RampChartsTest {
    @TempDir
    private Path directory;

    private static RampRow row(int sessions, String arm, double p50, OptionalDouble hits) {
        OptionalDouble some = OptionalDouble.of(p50);
        return new RampRow(sessions, arm, 1, 2, some, some, 3, hits, OptionalDouble.empty(), some, some, 4, 0, 0);
    }

    @Test
    void everyFigureHasAChartWithALineForEachArm() {
        List<RampRow> rows = List.of(
                row(4, "random", 2, OptionalDouble.of(56)),
                row(4, "fit", 0.3, OptionalDouble.of(86)),
                row(16, "random", 6, OptionalDouble.of(33)),
                row(16, "fit", 0.4, OptionalDouble.of(82)));
        RampCharts charts = new RampCharts(rows, "a test");
        assertThat(charts.charts())
                .extracting(Chart::id)
                .containsExactly("ttfb-p50", "ttfb-p95", "replicas-busy", "prefix-hits");
        assertThat(charts.charts().get(0).summary().replaceAll("\\p{Zs}", " "))
                .contains("random: TTFT p50 2.00 s at 4 sessions, 6.00 s at 16.");
        List<Path> files = charts.write(directory.resolve("out"));
        assertThat(files)
                .hasSize(4)
                .allSatisfy(f -> assertThat(f).content().contains("<svg").contains("fit"));
        assertThat(files.get(0)).content().contains("log scale");
    }

    @Test
    void whatNobodyMeasuredHasNoChart() {
        assertThat(new RampCharts(List.of(row(4, "random", 2, OptionalDouble.empty())), "a test").charts())
                .extracting(Chart::id)
                .doesNotContain("prefix-hits");
    }
}
