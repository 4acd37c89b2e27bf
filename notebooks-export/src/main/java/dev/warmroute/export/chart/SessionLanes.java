package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.run.Lanes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoublePredicate;
import org.jfree.chart.JFreeChart;

/**
 * P5: conversations as lanes. A turn is a thick bar from its send to its first byte, in the colour of how much of its prompt
 * was cached, and a thin one while its answer is written; between them the client is busy with tools.
 */
public record SessionLanes(String id, String title, Lanes lanes, Source source) implements Chart {
    private static final double MOSTLY = 80;
    private static final double HARDLY = 20;
    private static final double THICK = 0.36;
    private static final double THIN = 0.14;
    private static final int ROW_HEIGHT = 15;
    /** A bar that is drawn is at least this part of the whole. */
    private static final double VISIBLE = 0.003;

    public SessionLanes {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(lanes, "lanes");
        Objects.requireNonNull(source, "source");
    }

    @Override
    public String plot() {
        return "P5";
    }

    private List<Lanes.Bar> bars() {
        return lanes.lanes().stream().flatMap(l -> l.bars().stream()).toList();
    }

    private double from() {
        return bars().stream().mapToDouble(Lanes.Bar::sentS).min().orElse(0);
    }

    private double to() {
        return bars().stream().mapToDouble(Lanes.Bar::endS).max().orElse(1);
    }

    @Override
    public String summary() {
        long cold = bars().stream().filter(b -> b.hitPct() < HARDLY).count();
        long warm = bars().stream().filter(b -> b.hitPct() >= MOSTLY).count();
        double longest =
                bars().stream().mapToDouble(b -> b.firstS() - b.sentS()).max().orElse(0);
        return "Of " + bars().size() + " turns of " + lanes.lanes().size() + " conversations, " + warm
                + " found at least 80 % of"
                + " their prompt in the cache and " + cold + " less than 20 %; the longest wait for a first byte was "
                + Unit.SECONDS.text(longest) + ".";
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the turns drawn")
                .words("Session")
                .words("Replica")
                .numbers("Sent", Unit.SECONDS)
                .numbers("First byte after", Unit.SECONDS)
                .numbers("Answered after", Unit.SECONDS)
                .numbers("Prefix hit", Unit.PERCENT);
        for (Lanes.Lane lane : lanes.lanes()) {
            for (Lanes.Bar bar : lane.bars()) {
                table.row(
                        Cell.words(lane.session()),
                        Cell.words(bar.replica()),
                        Cell.of(bar.sentS(), Unit.SECONDS),
                        Cell.of(bar.firstS() - bar.sentS(), Unit.SECONDS),
                        Cell.of(bar.endS() - bar.sentS(), Unit.SECONDS),
                        Cell.of(bar.hitPct(), Unit.PERCENT));
            }
        }
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        int rows = ROW_HEIGHT * lanes.lanes().size();
        return List.of(Layout.wide(120 + rows), Layout.narrow(170 + rows));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        Clock clock = Clock.of(to() - from());
        List<String> names = new ArrayList<>();
        for (int i = 0; i < lanes.lanes().size(); i++) {
            String replica = lanes.lanes().get(i).replica();
            names.add(i > 0 && replica.equals(lanes.lanes().get(i - 1).replica()) ? "" : replica);
        }
        BlockPlot plot = BlockPlot.rows(style, clock.axis(0, to() - from()), names);
        double least = (to() - from()) * VISIBLE;
        plot.fill("answering", Ink.AXIS, bars(clock, hit -> true, true, 0));
        plot.fill("waiting, mostly cached", Ink.BLUE, bars(clock, hit -> hit >= MOSTLY, false, least));
        plot.fill("partly", Ink.OCHRE, bars(clock, hit -> hit >= HARDLY && hit < MOSTLY, false, least));
        plot.fill("hardly", Ink.ORANGE, bars(clock, hit -> hit < HARDLY, false, least));
        return plot.chart(
                "Time, " + clock.unit() + " from " + Clock.of(to()).words(from()) + " after the first send",
                "Conversations, by replica");
    }

    private List<BlockPlot.Block> bars(Clock clock, DoublePredicate hits, boolean answer, double least) {
        List<BlockPlot.Block> blocks = new ArrayList<>();
        for (int row = 0; row < lanes.lanes().size(); row++) {
            for (Lanes.Bar bar : lanes.lanes().get(row).bars()) {
                if (hits.test(bar.hitPct())) {
                    double from = (answer ? bar.firstS() : bar.sentS()) - from();
                    double to = Math.max(from + least, (answer ? bar.endS() : bar.firstS()) - from());
                    double half = answer ? THIN : THICK;
                    blocks.add(new BlockPlot.Block(clock.at(from), clock.at(to), row - half, row + half));
                }
            }
        }
        return blocks;
    }
}
