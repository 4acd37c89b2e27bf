package dev.warmroute.export.report;

import dev.warmroute.export.chart.BySessions;
import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.Series;
import dev.warmroute.export.chart.Source;
import dev.warmroute.export.chart.SvgWriter;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.simulator.load.RampRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The charts of a ramp, by step and arm: times to the first byte on a log scale, replicas busy, prefix hits. */
public final class RampCharts {
    private final List<RampRow> rows;
    private final Source source;

    /** @param source what was driven, in words */
    public RampCharts(List<RampRow> rows, String source) {
        this.rows = List.copyOf(rows);
        this.source = new Source(source, "");
    }

    /** The charts that there are figures for. */
    public List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        add(charts, "ttfb-p50", "Median time to the first byte", Metric.TTFT_P50_S, RampRow::ttfbP50S);
        add(charts, "ttfb-p95", "95th percentile of the time to the first byte", Metric.TTFT_P95_S, RampRow::ttfbP95S);
        add(charts, "replicas-busy", "Replicas busy", Metric.REPLICAS_BUSY, r -> OptionalDouble.of(r.replicasBusy()));
        add(charts, "prefix-hits", "Prefix hits", Metric.HIT_PCT, RampRow::prefixHitPct);
        return charts;
    }

    private void add(
            List<Chart> charts, String id, String title, Metric metric, Function<RampRow, OptionalDouble> figure) {
        Map<String, List<Series.Point>> byArm = new LinkedHashMap<>();
        for (RampRow r : rows) {
            List<Series.Point> points = byArm.computeIfAbsent(r.arm(), a -> new ArrayList<>());
            figure.apply(r).ifPresent(value -> points.add(new Series.Point(r.sessions(), value)));
        }
        List<Series> series = new ArrayList<>();
        byArm.forEach((arm, points) -> series.add(new Series(arm, series.size(), points)));
        if (series.stream().anyMatch(s -> !s.points().isEmpty())) {
            charts.add(new BySessions(id, title, metric, series, Optional.empty(), source));
        }
    }

    /** Writes each as {@code ID.svg}; returns the files. */
    public List<Path> write(Path directory) {
        List<Path> files = new ArrayList<>();
        SvgWriter svg = new SvgWriter();
        for (Chart chart : charts()) {
            Path file = directory.resolve(chart.id() + ".svg");
            WholeFile.save(file, svg.document(chart));
            files.add(file);
        }
        return files;
    }
}
