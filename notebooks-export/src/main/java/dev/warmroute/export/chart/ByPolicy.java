package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.PlotOrientation;

/**
 * One metric of every policy as dots with intervals, one below the other.
 *
 * @param rows in the order of the report
 */
public record ByPolicy(String id, String title, Metric metric, List<Row> rows, Source source) implements Chart {
    private static final int ROW_HEIGHT = 30;
    private static final int FRAME_HEIGHT = 70;
    private static final double ROOM_FOR_NUMBERS = 1.16;

    public ByPolicy {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(source, "source");
        rows = List.copyOf(rows);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(title + ": no policy has " + metric.field());
        }
    }

    /**
     * @param style position in the list of styles
     */
    public record Row(String policy, int style, double value, Optional<Cell.Range> range) {}

    @Override
    public String plot() {
        return "P2";
    }

    @Override
    public String summary() {
        Comparator<Row> byValue = Comparator.comparingDouble(Row::value);
        Row low = rows.stream().min(byValue).orElseThrow(),
                high = rows.stream().max(byValue).orElseThrow();
        Unit unit = metric.unit();
        return metric.label() + " from " + unit.text(low.value()) + " (" + low.policy() + ") to "
                + unit.text(high.value()) + " (" + high.policy() + ").";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Policy")
                .numbers(metric.label(), metric.unit());
        rows.forEach(
                r -> table.row(Cell.words(r.policy()), Cell.of(r.value(), metric.unit(), r.range(), Cell.Mark.NONE)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(FRAME_HEIGHT + ROW_HEIGHT * rows.size()));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            series.add(new Series(row.policy(), row.style(), List.of(new Series.Point(i, row.value(), row.range()))));
        }
        Extent points = Extent.ofY(series);
        Extent extent = points.and(points.high() * ROOM_FOR_NUMBERS).fromZero(Double.MAX_VALUE);
        PointPlot plot = new PointPlot(
                style,
                ScaledAxis.named(rows.stream().map(Row::policy).toList()),
                ScaledAxis.of(Scale.linear(Scale.labels(metric.unit())), extent.low(), extent.high()),
                PlotOrientation.HORIZONTAL);
        for (Series s : series) {
            Series.Point p = s.points().get(0);
            plot.markers(s, List.of(s.name() + ": " + metric.unit().text(p.y())));
            plot.beside(
                    p.x(),
                    p.range().map(Cell.Range::high).orElse(p.y()),
                    metric.unit().digits(p.y()));
        }
        String measure = new DataTable.Column(metric.label(), metric.unit().symbol(), true).head();
        return plot.chart("", measure, false);
    }
}
