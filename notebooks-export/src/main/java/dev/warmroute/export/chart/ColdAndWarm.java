package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.load.BenchComparison;
import dev.warmroute.simulator.load.BenchComparison.Row;
import dev.warmroute.simulator.load.BenchComparison.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jfree.chart.JFreeChart;

/**
 * P2 of a benchmark: the mean time to first token by the number of requests sent together, cold and warm, each with its interval;
 * on a log scale, on which the distance between the lines is the speed-up.
 */
public record ColdAndWarm(String id, BenchComparison comparison, Source source) implements Chart {
    private static final int COLD = 0;
    private static final int WARM = 1;

    public ColdAndWarm {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(comparison, "comparison");
        Objects.requireNonNull(source, "source");
    }

    @Override
    public String plot() {
        return "P2";
    }

    @Override
    public String title() {
        return "Mean time to first token, cold and warm";
    }

    @Override
    public String summary() {
        StringBuilder text = new StringBuilder();
        for (Row r : comparison.rows()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append("At ")
                    .append(r.concurrency())
                    .append(": ")
                    .append(Unit.SECONDS.text(r.cold().ttftMeanS()))
                    .append(' ')
                    .append(comparison.cold())
                    .append(", ")
                    .append(Unit.SECONDS.text(r.warm().ttftMeanS()))
                    .append(' ')
                    .append(comparison.warm())
                    .append(", ")
                    .append(Unit.RATIO.text(r.speedUp()))
                    .append(" times as fast.");
        }
        return text.toString();
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title() + ": the points drawn")
                .numbers("Concurrency", Unit.COUNT)
                .numbers(comparison.cold(), Unit.SECONDS)
                .numbers(comparison.warm(), Unit.SECONDS)
                .numbers("Speed-up", Unit.RATIO);
        for (Row r : comparison.rows()) {
            table.row(
                    Cell.of(r.concurrency(), Unit.COUNT),
                    Cell.of(r.cold().ttftMeanS(), Unit.SECONDS, range(r.cold().ttftMeanInterval()), Cell.Mark.NONE),
                    Cell.of(r.warm().ttftMeanS(), Unit.SECONDS, range(r.warm().ttftMeanInterval()), Cell.Mark.NONE),
                    Cell.of(r.speedUp(), Unit.RATIO, range(r.speedUpInterval()), Cell.Mark.NONE));
        }
        return table.build();
    }

    private static Optional<Cell.Range> range(Optional<Interval> interval) {
        return interval.map(i -> new Cell.Range(i.low(), i.high()));
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(300));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        List<Series> series =
                List.of(series(comparison.cold(), COLD, Row::cold), series(comparison.warm(), WARM, Row::warm));
        Extent y = Extent.ofY(series).ratios();
        Extent x = Extent.ofX(series).padded();
        List<Double> levels =
                comparison.rows().stream().map(r -> (double) r.concurrency()).toList();
        PointPlot plot = new PointPlot(
                style,
                ScaledAxis.of(Scale.linear(Scale::trimmed), x.low(), x.high(), levels.size() <= 8 ? levels : List.of()),
                ScaledAxis.of(Scale.log(Scale.labels(Unit.SECONDS)), y.low(), y.high()));
        for (Series s : series) {
            plot.lineWithMarkers(
                    s,
                    s.points().stream()
                            .map(p -> s.name() + ", " + Scale.trimmed(p.x()) + " together: " + Unit.SECONDS.text(p.y()))
                            .toList());
        }
        return plot.chart("Requests sent together", "Time to first token, s, log scale", true);
    }

    private Series series(String name, int style, Function<Row, Side> side) {
        List<Series.Point> points = new ArrayList<>();
        for (Row r : comparison.rows()) {
            Side of = side.apply(r);
            points.add(new Series.Point(r.concurrency(), of.ttftMeanS(), range(of.ttftMeanInterval())));
        }
        return new Series(name, style, points);
    }
}
