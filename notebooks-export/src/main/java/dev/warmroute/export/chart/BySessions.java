package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jfree.chart.JFreeChart;

/**
 * P2: a metric by the number of concurrent sessions, a line a policy. Times are on a log scale.
 *
 * @param series x is the number of sessions
 * @param fit number of sessions that the rule says fit, from the 95th percentile to the mean; shaded
 */
public record BySessions(
        String id, String title, Metric metric, List<Series> series, Optional<Cell.Range> fit, Source source)
        implements Chart {

    public BySessions {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(fit, "fit");
        Objects.requireNonNull(source, "source");
        series = List.copyOf(series);
        if (series.stream().allMatch(s -> s.points().isEmpty())) {
            throw new IllegalArgumentException(title + ": no policy has " + metric.field());
        }
    }

    @Override
    public String plot() {
        return "P2";
    }

    @Override
    public String summary() {
        StringBuilder text = new StringBuilder();
        Unit unit = metric.unit();
        for (Series s : series) {
            if (!s.points().isEmpty()) {
                Series.Point first = s.points().get(0),
                        last = s.points().get(s.points().size() - 1);
                text.append(text.isEmpty() ? "" : " ")
                        .append(s.name())
                        .append(": ")
                        .append(metric.label());
                text.append(' ').append(unit.text(first.y())).append(" at ").append(Scale.trimmed(first.x()));
                text.append(" sessions, ").append(unit.text(last.y())).append(" at ");
                text.append(Scale.trimmed(last.x())).append('.');
            }
        }
        fit.ifPresent(f -> text.append(" By the rule ")
                .append(Scale.trimmed(f.low()))
                .append(" to ")
                .append(Scale.trimmed(f.high()))
                .append(" sessions fit."));
        return text.toString();
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Policy")
                .numbers("Sessions", Unit.COUNT)
                .numbers(metric.label(), metric.unit());
        for (Series s : series) {
            s.points()
                    .forEach(p -> table.row(
                            Cell.words(s.name()),
                            Cell.of(p.x(), Unit.COUNT),
                            Cell.of(p.y(), metric.unit(), p.range(), Cell.Mark.NONE)));
        }
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(300));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        boolean log = metric.unit() == Unit.SECONDS;
        Extent y = Extent.ofY(series);
        y = log ? y.ratios() : y.fromZero(metric.unit() == Unit.PERCENT ? 100 : Double.MAX_VALUE);
        Extent x = Extent.ofX(series).padded();
        TreeSet<Double> steps = new TreeSet<>();
        series.forEach(s -> s.points().forEach(p -> steps.add(p.x())));
        ScaledAxis across = ScaledAxis.of(
                Scale.linear(Scale::trimmed), x.low(), x.high(), steps.size() <= 8 ? List.copyOf(steps) : List.of());
        Scale scale = log ? Scale.log(Scale.labels(metric.unit())) : Scale.linear(Scale.labels(metric.unit()));
        PointPlot plot = new PointPlot(style, across, ScaledAxis.of(scale, y.low(), y.high()));
        fit.filter(f -> f.low() <= x.high() && f.high() >= x.low())
                .ifPresent(f -> plot.band(Math.max(f.low(), x.low()), Math.min(f.high(), x.high()), "rule"));
        for (Series s : series) {
            plot.lineWithMarkers(s, titles(s));
        }
        String measure = new DataTable.Column(metric.label(), metric.unit().symbol(), true).head();
        return plot.chart("Concurrent sessions", log ? measure + ", log scale" : measure, true);
    }

    private List<String> titles(Series s) {
        return s.points().stream()
                .map(p -> s.name() + ", " + Scale.trimmed(p.x()) + " sessions: "
                        + metric.unit().text(p.y()))
                .toList();
    }
}
