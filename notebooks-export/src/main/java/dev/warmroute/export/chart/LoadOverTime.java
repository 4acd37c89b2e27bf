package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.run.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jfree.chart.JFreeChart;

/**
 * P7: requests in flight on each replica over time, the darker (on dark paper the brighter) the more.
 *
 * @param highest what the darkest shade ends with, so that charts of several policies compare; 0 for the chart's own
 */
public record LoadOverTime(String id, String title, Timeline timeline, double highest, Source source) implements Chart {
    private static final List<Ink> SHADES = List.of(Ink.SHADE_1, Ink.SHADE_2, Ink.SHADE_3, Ink.SHADE_4, Ink.SHADE_5);
    private static final double HALF_ROW = 0.44;
    private static final int ROW_HEIGHT = 24;

    public LoadOverTime {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(timeline, "timeline");
        Objects.requireNonNull(source, "source");
    }

    @Override
    public String plot() {
        return "P7";
    }

    private double most() {
        return timeline.inFlight().stream().mapToDouble(Timeline::most).max().orElse(0);
    }

    @Override
    public String summary() {
        int busiest = 0, idlest = 0;
        for (int r = 1; r < timeline.inFlight().size(); r++) {
            busiest = Timeline.mean(timeline.inFlight().get(r))
                            > Timeline.mean(timeline.inFlight().get(busiest))
                    ? r
                    : busiest;
            idlest = Timeline.mean(timeline.inFlight().get(r))
                            < Timeline.mean(timeline.inFlight().get(idlest))
                    ? r
                    : idlest;
        }
        return "On average " + Unit.RATIO.text(Timeline.mean(timeline.inFlight().get(busiest)))
                + " requests in flight on the busiest"
                + " replica (r" + busiest + ") and "
                + Unit.RATIO.text(Timeline.mean(timeline.inFlight().get(idlest)))
                + " on the idlest (r" + idlest + "); at most " + Unit.RATIO.text(most()) + " in one stretch.";
    }

    @Override
    public DataTable data() {
        Clock clock = clock();
        DataTable.Builder table =
                DataTable.captioned(title + ": mean in each stretch").words("From");
        for (int r = 0; r < timeline.inFlight().size(); r++) {
            table.numbers("r" + r, Unit.RATIO);
        }
        for (int i = 0; i < timeline.stretches(); i++) {
            List<Cell> row = new ArrayList<>();
            row.add(Cell.words(clock.words(i * timeline.stepS())));
            for (List<Double> replica : timeline.inFlight()) {
                row.add(Cell.of(replica.get(i), Unit.RATIO));
            }
            table.row(row);
        }
        return table.build();
    }

    private Clock clock() {
        return Clock.of(timeline.seconds());
    }

    @Override
    public List<Layout> layouts() {
        int rows = ROW_HEIGHT * timeline.inFlight().size();
        return List.of(Layout.wide(110 + rows), Layout.narrow(150 + rows));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        Clock clock = clock();
        List<String> names = new ArrayList<>();
        for (int r = 0; r < timeline.inFlight().size(); r++) {
            names.add("r" + r);
        }
        BlockPlot plot = BlockPlot.rows(style, clock.axis(0, timeline.seconds()), names);
        double most = Math.max(highest, most());
        for (int shade = 0; shade < SHADES.size(); shade++) {
            List<BlockPlot.Block> blocks = new ArrayList<>();
            for (int r = 0; r < timeline.inFlight().size(); r++) {
                blocks.addAll(stretches(timeline.inFlight().get(r), r, shade, most, clock));
            }
            double from = most * shade / SHADES.size(), to = most * (shade + 1) / SHADES.size();
            plot.fill(Scale.trimmed(from) + " to " + Scale.trimmed(to), SHADES.get(shade), blocks);
        }
        return plot.chart("Time since the first send, " + clock.unit(), "Requests in flight, by replica");
    }

    /** Neighbours of one shade as one block. */
    private List<BlockPlot.Block> stretches(List<Double> loads, int row, int shade, double most, Clock clock) {
        List<BlockPlot.Block> blocks = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            if (shade(loads.get(i), most) != shade) {
                continue;
            }
            int from = i;
            while (i + 1 < loads.size() && shade(loads.get(i + 1), most) == shade) {
                i++;
            }
            blocks.add(new BlockPlot.Block(
                    clock.at(from * timeline.stepS()),
                    clock.at((i + 1) * timeline.stepS()),
                    row - HALF_ROW,
                    row + HALF_ROW));
        }
        return blocks;
    }

    private static int shade(double load, double most) {
        return most > 0 ? Math.min(SHADES.size() - 1, (int) (load / most * SHADES.size())) : 0;
    }
}
