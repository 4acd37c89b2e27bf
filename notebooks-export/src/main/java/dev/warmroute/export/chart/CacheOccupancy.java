package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.run.Occupancy;
import dev.warmroute.export.run.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jfree.chart.JFreeChart;

/** P4: what each replica's cache holds over time; a row is a cache, from empty at its foot to full at its top. */
public record CacheOccupancy(String id, String title, Occupancy occupancy, Source source) implements Chart {
    private static final double ROW = 0.88;
    private static final int ROW_HEIGHT = 40;
    private static final int MOST_ROWS = 12;

    public CacheOccupancy {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(occupancy, "occupancy");
        Objects.requireNonNull(source, "source");
    }

    @Override
    public String plot() {
        return "P4";
    }

    private int rows() {
        return Math.min(MOST_ROWS, occupancy.replicas().size());
    }

    @Override
    public String summary() {
        double held = occupancy.replicas().stream()
                .mapToDouble(r -> Timeline.mean(r.heldPct()))
                .average()
                .orElse(0);
        double kept = occupancy.replicas().stream()
                .mapToDouble(r -> Timeline.mean(r.keptPct()))
                .average()
                .orElse(0);
        long full = occupancy.replicas().stream()
                .filter(r -> IntStream.range(0, r.heldPct().size())
                        .anyMatch(i -> r.heldPct().get(i) + r.keptPct().get(i) >= 99))
                .count();
        return "Of the blocks, requests hold " + Unit.PERCENT.text(held) + " on average, and at least "
                + Unit.PERCENT.text(kept)
                + " are cached besides; " + full + " of " + occupancy.replicas().size() + " caches fill up."
                + (rows() < occupancy.replicas().size() ? " The first " + rows() + " are drawn." : "");
    }

    @Override
    public DataTable data() {
        DataTable.Builder table =
                DataTable.captioned(title + ": the moments drawn").words("At");
        for (int r = 0; r < rows(); r++) {
            table.numbers("r" + r + " held", Unit.PERCENT).numbers("cached", Unit.PERCENT);
        }
        for (int i = 0; i < occupancy.atS().size(); i++) {
            List<Cell> row = new ArrayList<>();
            row.add(Cell.words(clock().words(occupancy.atS().get(i))));
            for (Occupancy.OfReplica replica : occupancy.replicas().subList(0, rows())) {
                row.add(Cell.of(replica.heldPct().get(i), Unit.PERCENT));
                row.add(Cell.of(replica.keptPct().get(i), Unit.PERCENT));
            }
            table.row(row);
        }
        return table.build();
    }

    private double end() {
        return occupancy.atS().get(occupancy.atS().size() - 1);
    }

    private Clock clock() {
        return Clock.of(end());
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.wide(110 + ROW_HEIGHT * rows()), Layout.narrow(140 + ROW_HEIGHT * rows()));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        List<String> names = IntStream.range(0, rows()).mapToObj(r -> "r" + r).toList();
        BlockPlot plot = BlockPlot.rows(style, clock().axis(0, Math.max(end(), clock().seconds() * 1e-3)), names);
        int n = occupancy.atS().size();
        double[] at = occupancy.atS().stream().mapToDouble(clock()::at).toArray();
        List<BlockPlot.Block> free = new ArrayList<>();
        for (int r = 0; r < rows(); r++) {
            free.add(new BlockPlot.Block(at[0], at[n - 1], r + ROW / 2, r - ROW / 2));
        }
        plot.fill("never used, or overwritten", Ink.BAND, free);
        for (int r = 0; r < rows(); r++) {
            Occupancy.OfReplica replica = occupancy.replicas().get(r);
            double[] foot = new double[n], held = new double[n], top = new double[n];
            for (int i = 0; i < n; i++) {
                foot[i] = r + ROW / 2;
                held[i] = foot[i] - ROW * replica.heldPct().get(i) / 100;
                top[i] = held[i] - ROW * replica.keptPct().get(i) / 100;
            }
            plot.band(r == 0 ? "cached, nobody's" : "", Ink.SHADE_3, at, held, top);
            plot.band(r == 0 ? "held by requests" : "", Ink.SHADE_5, at, foot, held);
        }
        return plot.chart("Time since the first send, " + clock().unit(), "Blocks of each replica's cache");
    }
}
