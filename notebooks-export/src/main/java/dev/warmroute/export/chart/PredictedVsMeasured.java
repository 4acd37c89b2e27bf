package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jfree.chart.JFreeChart;

/**
 * P11: what the simulation said against what was measured; on the line they are equal.
 *
 * @param cases every comparison of this metric
 * @param tolerance half the width of the dashed band: in points for percentages, else as a fraction of the measured value
 */
public record PredictedVsMeasured(
        String id, String title, Metric metric, List<Case> cases, double tolerance, Source source) implements Chart {

    public PredictedVsMeasured {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(source, "source");
        cases = List.copyOf(cases);
        if (cases.isEmpty()) {
            throw new IllegalArgumentException(title + ": nothing to compare");
        }
    }

    /**
     * @param name what was compared, such as {@code 16 sessions}
     * @param policy policy it ran under
     * @param style position of the policy in the list of styles
     */
    public record Case(
            String name, String policy, int style, double measured, double predicted, Optional<Cell.Range> range) {}

    @Override
    public String plot() {
        return "P11";
    }

    private double error(Case c) {
        return Math.abs(c.predicted() - c.measured());
    }

    @Override
    public String summary() {
        Unit unit = metric.unit();
        double mean = cases.stream().mapToDouble(this::error).average().orElse(0);
        Case worst =
                cases.stream().max((a, b) -> Double.compare(error(a), error(b))).orElseThrow();
        Unit of = unit == Unit.PERCENT ? Unit.POINTS : unit;
        String size = of.text(mean).replace("+", ""),
                most = of.text(error(worst)).replace("+", "");
        return "Predicted and measured " + metric.label() + " differ by " + size + " on average, at most " + most + " ("
                + worst.name() + ", " + worst.policy() + "), over " + cases.size() + " cases.";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Case")
                .words("Policy")
                .numbers("Measured", metric.unit())
                .numbers("Predicted", metric.unit());
        cases.forEach(c -> table.row(
                Cell.words(c.name()),
                Cell.words(c.policy()),
                Cell.of(c.measured(), metric.unit()),
                Cell.of(c.predicted(), metric.unit(), c.range(), Cell.Mark.NONE)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(360));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        List<Series> series = byPolicy();
        Extent both = Extent.ofY(series)
                .and(Extent.ofX(series).low())
                .and(Extent.ofX(series).high());
        boolean log = metric.unit() == Unit.SECONDS;
        Extent e = log ? both.ratios() : both.fromZero(metric.unit() == Unit.PERCENT ? 100 : Double.MAX_VALUE);
        Scale scale = log ? Scale.log(Scale.labels(metric.unit())) : Scale.linear(Scale.labels(metric.unit()));
        PointPlot plot =
                new PointPlot(style, ScaledAxis.of(scale, e.low(), e.high()), ScaledAxis.of(scale, e.low(), e.high()));
        plot.segment(e.low(), e.low(), e.high(), e.high(), false);
        if (metric.unit() == Unit.PERCENT) {
            plot.segment(e.low(), e.low() + tolerance, e.high() - tolerance, e.high(), true);
            plot.segment(e.low() + tolerance, e.low(), e.high(), e.high() - tolerance, true);
        } else {
            plot.segment(e.low(), e.low() * (1 + tolerance), e.high() / (1 + tolerance), e.high(), true);
            plot.segment(e.low() / (1 - tolerance), e.low(), e.high(), e.high() * (1 - tolerance), true);
        }
        for (Series s : series) {
            plot.markers(s, titles(s.name()));
        }
        String unit =
                metric.unit().symbol().isEmpty() ? "" : ", " + metric.unit().symbol();
        String band = metric.unit() == Unit.PERCENT
                ? Scale.trimmed(tolerance) + " points"
                : Scale.trimmed(100 * tolerance) + " %";
        return plot.chart("Measured" + unit, "Predicted" + unit + " (dashed: off by " + band + ")", true);
    }

    private List<Series> byPolicy() {
        List<Series> series = new ArrayList<>();
        for (String policy : cases.stream().map(Case::policy).distinct().toList()) {
            List<Case> own =
                    cases.stream().filter(c -> c.policy().equals(policy)).toList();
            series.add(new Series(
                    policy,
                    own.get(0).style(),
                    own.stream()
                            .map(c -> new Series.Point(c.measured(), c.predicted(), c.range()))
                            .toList()));
        }
        return series;
    }

    private List<String> titles(String policy) {
        return cases.stream()
                .filter(c -> c.policy().equals(policy))
                .map(c ->
                        c.name() + ", " + policy + ": measured " + metric.unit().text(c.measured()) + ", predicted "
                                + metric.unit().text(c.predicted()))
                .toList();
    }
}
