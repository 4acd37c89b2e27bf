package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.run.ContextStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.JFreeChart;

/** P12: how prompts grow from turn to turn, median and 95th percentile. */
public record ContextByTurn(String id, String title, List<ContextStep> steps, Source source) implements Chart {
    private static final int MOST = 60;

    public ContextByTurn {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(source, "source");
        steps = evenly(steps);
        if (steps.size() < 2) {
            throw new IllegalArgumentException(title + ": conversations of one turn do not grow");
        }
    }

    /** At most so many of them, the last one included. */
    private static List<ContextStep> evenly(List<ContextStep> all) {
        int every = Math.max(1, Math.ceilDiv(all.size(), MOST));
        List<ContextStep> kept = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (i % every == 0 || i == all.size() - 1) {
                kept.add(all.get(i));
            }
        }
        return List.copyOf(kept);
    }

    @Override
    public String plot() {
        return "P12";
    }

    @Override
    public String summary() {
        ContextStep first = steps.get(0), last = steps.get(steps.size() - 1);
        return "The median prompt grows from " + Unit.TOKENS.text(first.p50Tokens()) + " at the first turn to "
                + Unit.TOKENS.text(last.p50Tokens()) + " at turn " + last.turn() + ", which " + last.conversations()
                + " conversations reach; the 95th percentile from " + Unit.TOKENS.text(first.p95Tokens()) + " to "
                + Unit.TOKENS.text(last.p95Tokens()) + ".";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Prompts")
                .numbers("Turn", Unit.COUNT)
                .numbers("Conversations", Unit.COUNT)
                .numbers("Median", Unit.TOKENS)
                .numbers("95th percentile", Unit.TOKENS);
        steps.forEach(s -> table.row(
                Cell.words("turn " + s.turn()),
                Cell.of(s.turn(), Unit.COUNT),
                Cell.of(s.conversations(), Unit.COUNT),
                Cell.of(s.p50Tokens(), Unit.TOKENS),
                Cell.of(s.p95Tokens(), Unit.TOKENS)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.small(300));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        List<Series> series =
                List.of(line("median", 0, ContextStep::p50Tokens), line("95th percentile", 1, ContextStep::p95Tokens));
        Extent x = Extent.ofX(series);
        Extent y = Extent.ofY(series).fromZero(Double.MAX_VALUE);
        PointPlot plot = new PointPlot(
                style,
                ScaledAxis.of(Scale.linear(Scale::trimmed), x.low(), x.high()),
                ScaledAxis.of(Scale.linear(Scale::compact), y.low(), y.high()));
        series.forEach(plot::line);
        return plot.chart("Turn of the conversation", "Prompt tokens", true);
    }

    private Series line(String name, int style, ToDoubleFunction<ContextStep> tokens) {
        return new Series(
                name,
                style,
                steps.stream()
                        .map(s -> new Series.Point(s.turn(), tokens.applyAsDouble(s)))
                        .toList());
    }
}
