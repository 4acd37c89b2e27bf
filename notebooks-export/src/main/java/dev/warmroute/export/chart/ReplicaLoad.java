package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.PlotOrientation;

/**
 * P13: what each replica got under a policy, beside an even share.
 *
 * @param what what is counted: {@code requests} or {@code sessions}
 * @param style position of the policy in the list of styles
 * @param highest end of the value axis, so that charts of several policies compare; 0 for the chart's own
 * @param chance what a replica gets in 95 of 100 cases when each goes to any replica with the same chance; empty when that is
 *     no question
 */
public record ReplicaLoad(
        String id,
        String title,
        String what,
        int style,
        List<Load> loads,
        double highest,
        Optional<Cell.Range> chance,
        Source source)
        implements Chart {

    public ReplicaLoad {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(chance, "chance");
        Objects.requireNonNull(source, "source");
        loads = List.copyOf(loads);
        if (loads.isEmpty()) {
            throw new IllegalArgumentException(title + ": no replica");
        }
    }

    /** What one replica got. */
    public record Load(String replica, double value) {}

    @Override
    public String plot() {
        return "P13";
    }

    private double mean() {
        return loads.stream().mapToDouble(Load::value).average().orElse(0);
    }

    private double most() {
        return loads.stream().mapToDouble(Load::value).max().orElse(0);
    }

    @Override
    public String summary() {
        double mean = mean();
        String most = Unit.COUNT.text(most()) + " " + what + " on the busiest replica";
        return mean > 0
                ? most + ", " + Unit.RATIO.text(most() / mean) + " times an even share."
                        + chance.map(this::outside).orElse("")
                : "No " + what + ".";
    }

    private String outside(Cell.Range range) {
        long outside = loads.stream()
                .filter(l -> l.value() < range.low() || l.value() > range.high())
                .count();
        String have = outside == 0 ? ", as all of these have." : "; " + outside + " of " + loads.size() + " have not.";
        return " Placed at random, a replica would have " + Unit.COUNT.text(range.low()) + " to "
                + Unit.COUNT.text(range.high()) + " in 95 of 100 cases" + have;
    }

    @Override
    public DataTable data() {
        DataTable.Builder table =
                DataTable.captioned(title + ": the bars drawn").words("Replica").numbers(what, Unit.COUNT);
        loads.forEach(l -> table.row(Cell.words(l.replica()), Cell.of(l.value(), Unit.COUNT)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(220));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        double top =
                Math.max(Math.max(highest, most()), chance.map(Cell.Range::high).orElse(0.0)) * 1.1;
        BarPlot plot = new BarPlot(
                style,
                ScaledAxis.named(loads.stream().map(Load::replica).toList()),
                ScaledAxis.of(Scale.linear(Scale::compact), 0, top > 0 ? top : 1),
                PlotOrientation.VERTICAL);
        double[] to = loads.stream().mapToDouble(Load::value).toArray();
        double[] from = new double[to.length];
        Arrays.fill(from, 0);
        plot.segments(what, SeriesStyle.at(this.style).ink(), from, to);
        if (mean() > 0) {
            plot.level(mean());
        }
        chance.ifPresent(c -> plot.between(c.low(), c.high()));
        return plot.chart(
                Character.toUpperCase(what.charAt(0)) + what.substring(1) + " per replica, even share dashed"
                        + (chance.isPresent() ? ", chance shaded" : ""),
                false);
    }
}
