package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jfree.chart.JFreeChart;

/**
 * P6: how far apart the same tokens are said again. A bar is the share of all prompt tokens whose reuse distance lies within
 * it: a cache of the size at its right end has them, one of the size at its left end does not.
 *
 * @param bars by growing distance
 * @param marks cache sizes to mark
 */
public record ReuseHistogram(String id, String title, List<Bar> bars, List<HitByCapacity.Mark> marks, Source source)
        implements Chart {
    private static final Scale TOKENS = Scale.log(Scale::compact);

    public ReuseHistogram {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(source, "source");
        bars = List.copyOf(bars);
        marks = List.copyOf(marks);
        if (bars.isEmpty()) {
            throw new IllegalArgumentException(title + ": no reuse distance");
        }
    }

    /**
     * @param fromTokens above this distance
     * @param toTokens up to this one
     * @param sharePct of all prompt tokens, in percent
     */
    public record Bar(double fromTokens, double toTokens, double sharePct) {}

    @Override
    public String plot() {
        return "P6";
    }

    @Override
    public String summary() {
        Bar most = bars.get(0);
        double all = 0, half = 0;
        for (Bar b : bars) {
            most = b.sharePct() > most.sharePct() ? b : most;
            all += b.sharePct();
        }
        double median = bars.get(0).toTokens();
        for (Bar b : bars) {
            half += b.sharePct();
            if (half >= all / 2) {
                median = b.toTokens();
                break;
            }
        }
        return Unit.PERCENT.text(all) + " of the prompt tokens are said again; half of these within "
                + Unit.TOKENS.text(median) + " of other tokens, most often between "
                + Unit.TOKENS.text(most.fromTokens())
                + " and " + Unit.TOKENS.text(most.toTokens()) + ".";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the bars drawn")
                .words("Distance")
                .numbers("above", Unit.TOKENS)
                .numbers("up to", Unit.TOKENS)
                .numbers("Share of the prompt tokens", Unit.PERCENT);
        bars.forEach(b -> table.row(
                Cell.words("reuse distance"),
                Cell.of(b.fromTokens(), Unit.TOKENS),
                Cell.of(b.toTokens(), Unit.TOKENS),
                Cell.of(b.sharePct(), Unit.PERCENT)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.wide(260), Layout.narrow(260));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        Extent x =
                new Extent(bars.get(0).fromTokens(), bars.get(bars.size() - 1).toTokens());
        for (HitByCapacity.Mark mark : marks) {
            x = x.and(mark.tokens());
        }
        double top = bars.stream().mapToDouble(Bar::sharePct).max().orElse(0);
        BlockPlot plot = new BlockPlot(
                style,
                ScaledAxis.of(TOKENS, x.low(), x.high() * 1.02),
                ScaledAxis.of(Scale.linear(Scale::trimmed), 0, top > 0 ? top * 1.25 : 1));
        List<BlockPlot.Block> blocks = new ArrayList<>();
        bars.forEach(b -> blocks.add(new BlockPlot.Block(b.fromTokens(), b.toTokens(), 0, b.sharePct())));
        plot.fill("", Ink.BLUE, blocks);
        for (int i = 0; i < marks.size(); i++) {
            plot.vertical(marks.get(i).tokens(), marks.get(i).name(), i);
        }
        return plot.chart("Other tokens in between, log scale", "Prompt tokens, %");
    }
}
