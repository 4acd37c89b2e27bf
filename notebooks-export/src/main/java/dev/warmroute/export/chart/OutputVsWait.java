package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jfree.chart.JFreeChart;

/** P10: what each policy gives (output) against what it costs (the tail of the wait); the right foot is the best corner. */
public record OutputVsWait(String id, String title, List<Point> points, Source source) implements Chart {
    private static final Metric OUTPUT = Metric.OUTPUT_TOKENS_PER_MIN;
    private static final Metric WAIT = Metric.TTFT_P95_S;

    public OutputVsWait {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(source, "source");
        points = List.copyOf(points);
        if (points.isEmpty()) {
            throw new IllegalArgumentException(title + ": no policy has output and a wait");
        }
    }

    /** @param style position of the policy in the list of styles */
    public record Point(
            String policy,
            int style,
            double output,
            double ttft,
            Optional<Cell.Range> outputRange,
            Optional<Cell.Range> ttftRange) {
        private boolean beats(Point other) {
            return output >= other.output && ttft <= other.ttft && (output > other.output || ttft < other.ttft);
        }
    }

    @Override
    public String plot() {
        return "P10";
    }

    /** Policies that no other one beats in both. */
    private List<Point> front() {
        return points.stream()
                .filter(p -> points.stream().noneMatch(o -> o.beats(p)))
                .toList();
    }

    @Override
    public String summary() {
        return (front().size() == 1
                        ? "No policy gives more output or waits less than "
                        : "No policy is better in both than ")
                + front().stream()
                        .map(p -> p.policy() + " (" + OUTPUT.unit().text(p.output()) + ", "
                                + WAIT.unit().text(p.ttft()) + ")")
                        .collect(Collectors.joining(", "))
                + ".";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Policy")
                .numbers(OUTPUT.label(), OUTPUT.unit())
                .numbers(WAIT.label(), WAIT.unit());
        points.forEach(p -> table.row(
                Cell.words(p.policy()),
                Cell.of(p.output(), OUTPUT.unit(), p.outputRange(), Cell.Mark.NONE),
                Cell.of(p.ttft(), WAIT.unit(), p.ttftRange(), Cell.Mark.NONE)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(320));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        List<Series> series = points.stream()
                .map(p -> new Series(
                        p.policy(), p.style(), List.of(new Series.Point(p.output(), p.ttft(), p.ttftRange()))))
                .toList();
        Extent x = Extent.ofX(series).padded();
        Extent y = Extent.ofY(series).ratios();
        PointPlot plot = new PointPlot(
                style,
                ScaledAxis.of(Scale.linear(Scale::compact), x.low(), x.high()),
                ScaledAxis.of(Scale.log(Scale::trimmed), y.low(), y.high()));
        for (Series s : series) {
            plot.markers(
                    s,
                    List.of(s.name() + ": "
                            + OUTPUT.unit().text(s.points().get(0).x()) + ", TTFT p95 "
                            + Unit.SECONDS.text(s.points().get(0).y())));
        }
        return plot.chart("Output, tokens/min", "TTFT p95, s, log scale", true);
    }
}
