package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.run.Timeline;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jfree.chart.JFreeChart;

/** P8: prompt tokens a second over time, found in a cache and computed, one on top of the other. */
public record TokenRate(String id, String title, Timeline timeline, Source source) implements Chart {
    public TokenRate {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(timeline, "timeline");
        Objects.requireNonNull(source, "source");
    }

    @Override
    public String plot() {
        return "P8";
    }

    @Override
    public String summary() {
        return "On average " + Unit.TOKENS.text(Timeline.mean(timeline.cachedPerS()))
                + " a second were found in a cache and "
                + Unit.TOKENS.text(Timeline.mean(timeline.computedPerS())) + " computed; at most "
                + Unit.TOKENS.text(Timeline.most(timeline.computedPerS())) + " a second were computed in one stretch.";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": mean in each stretch")
                .words("From")
                .numbers("Cached a second", Unit.TOKENS)
                .numbers("Computed a second", Unit.TOKENS);
        for (int i = 0; i < timeline.stretches(); i++) {
            table.row(
                    Cell.words(clock().words(i * timeline.stepS())),
                    Cell.of(timeline.cachedPerS().get(i), Unit.TOKENS),
                    Cell.of(timeline.computedPerS().get(i), Unit.TOKENS));
        }
        return table.build();
    }

    private Clock clock() {
        return Clock.of(timeline.seconds());
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.wide(260), Layout.narrow(260));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        int n = timeline.stretches();
        // A stretch is level: two points each.
        double[] at = new double[2 * n], cached = new double[2 * n], all = new double[2 * n];
        for (int i = 0; i < 2 * n; i++) {
            at[i] = clock().at(timeline.stepS() * ((i + 1) / 2));
            cached[i] = timeline.cachedPerS().get(i / 2);
            all[i] = cached[i] + timeline.computedPerS().get(i / 2);
        }
        double top =
                IntStream.range(0, all.length).mapToDouble(i -> all[i]).max().orElse(0);
        BlockPlot plot = new BlockPlot(
                style,
                clock().axis(0, timeline.seconds()),
                ScaledAxis.of(Scale.linear(Scale::compact), 0, top > 0 ? top * 1.06 : 1));
        plot.band("cached", Ink.BLUE, at, new double[2 * n], cached);
        plot.band("computed", Ink.ORANGE, at, cached, all);
        return plot.chart("Time since the first send, " + clock().unit(), "Prompt tokens a second");
    }
}
