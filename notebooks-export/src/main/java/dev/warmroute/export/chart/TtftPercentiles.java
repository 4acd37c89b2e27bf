package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import java.util.List;
import java.util.Objects;
import org.jfree.chart.JFreeChart;

/**
 * P3: time to first token by percentile, a line a policy, with the tail drawn out.
 *
 * @param series x is the percentile from 0 to 100, y the time in seconds
 */
public record TtftPercentiles(String id, String title, List<Series> series, Source source) implements Chart {
    private static final int POINTS = 90;

    public TtftPercentiles {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(source, "source");
        series = series.stream()
                .map(s -> new Series(s.name(), s.style(), Thinning.of(s.points(), POINTS, Scale.percentiles())))
                .toList();
        if (series.isEmpty() || series.stream().anyMatch(s -> s.points().isEmpty())) {
            throw new IllegalArgumentException(title + ": every policy needs percentiles");
        }
    }

    @Override
    public String plot() {
        return "P3";
    }

    @Override
    public String summary() {
        StringBuilder text = new StringBuilder();
        for (Series s : series) {
            text.append(text.isEmpty() ? "" : " ").append(s.name()).append(": median ");
            text.append(Unit.SECONDS.text(at(s, 50))).append(", 95th percentile ");
            text.append(Unit.SECONDS.text(at(s, 95))).append('.');
        }
        return text.toString();
    }

    private static double at(Series series, double percentile) {
        double value = series.points().get(0).y();
        for (Series.Point p : series.points()) {
            if (p.x() <= percentile + 1e-9) {
                value = p.y();
            }
        }
        return value;
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Policy")
                .numbers("Percentile", Unit.COUNT)
                .numbers("TTFT", Unit.SECONDS);
        for (Series s : series) {
            s.points()
                    .forEach(p ->
                            table.row(Cell.words(s.name()), Cell.of(p.x(), Unit.COUNT), Cell.of(p.y(), Unit.SECONDS)));
        }
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.wide(330), Layout.narrow(300));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        Extent y = Extent.ofY(series).ratios();
        PointPlot plot = new PointPlot(
                style,
                ScaledAxis.of(
                        Scale.percentiles(),
                        0,
                        Math.max(99, Math.min(99.99, Extent.ofX(series).high()))),
                ScaledAxis.of(Scale.log(Scale::trimmed), y.low(), y.high()));
        series.forEach(plot::line);
        return plot.chart("Percentile of requests", "Time to first token, s, log scale", true);
    }
}
