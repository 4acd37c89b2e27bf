package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jfree.chart.JFreeChart;

/**
 * P1: how many prompt tokens a cache of each size would have held, with the sizes in question marked and the simulated
 * points beside the curve. The curve is an upper bound: it knows no queue.
 *
 * @param reuse hit ratio in percent by cache size in tokens, by growing size
 * @param marks sizes to mark
 * @param simulated simulated hit ratios, a series a policy
 */
public record HitByCapacity(
        String id, String title, List<Series.Point> reuse, List<Mark> marks, List<Series> simulated, Source source)
        implements Chart {
    private static final int POINTS = 120;
    private static final double ROOM_FOR_A_MARK = 0.07;
    private static final Scale TOKENS = Scale.log(Scale::compact);

    public HitByCapacity {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(source, "source");
        if (reuse.isEmpty()) {
            throw new IllegalArgumentException("a reuse curve needs at least one point");
        }
        reuse = List.copyOf(Thinning.of(reuse, POINTS, TOKENS));
        marks = List.copyOf(marks);
        simulated = List.copyOf(simulated);
    }

    /** A cache size with a name, in tokens. */
    public record Mark(String name, double tokens) {}

    @Override
    public String plot() {
        return "P1";
    }

    @Override
    public String summary() {
        Series.Point first = reuse.get(0), last = reuse.get(reuse.size() - 1);
        StringBuilder text = new StringBuilder("A cache of " + Unit.TOKENS.text(first.x()) + " would have held "
                + Unit.PERCENT.text(first.y()) + " of the prompt tokens; the most that any size gives is "
                + Unit.PERCENT.text(last.y()) + ", reached at " + Unit.TOKENS.text(reachedAt(last.y())) + ".");
        for (Mark mark : marks) {
            text.append(' ')
                    .append(capital(mark.name()))
                    .append(" (")
                    .append(Unit.TOKENS.text(mark.tokens()))
                    .append("): ");
            text.append(known(mark.tokens()).isPresent() ? "" : "about ");
            text.append(Unit.PERCENT.text(at(mark.tokens()))).append('.');
        }
        return text.toString();
    }

    /** Smallest size whose hit ratio is within a tenth of a point of the best. */
    private double reachedAt(double best) {
        return reuse.stream()
                .filter(p -> p.y() >= best - 0.1)
                .findFirst()
                .orElseThrow()
                .x();
    }

    private static String capital(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** Hit ratio at a size that is one of the curve's points. */
    private OptionalDouble known(double tokens) {
        return reuse.stream()
                .filter(p -> Math.abs(p.x() - tokens) <= tokens * 1e-3)
                .mapToDouble(Series.Point::y)
                .findFirst();
    }

    /** Hit ratio at a size, as the eye reads it off the curve. */
    private double at(double tokens) {
        Series.Point below = reuse.get(0);
        for (Series.Point p : reuse) {
            if (p.x() > tokens) {
                double a = TOKENS.position(below.x()), b = TOKENS.position(p.x());
                double part = b > a ? Math.max(0, (TOKENS.position(tokens) - a) / (b - a)) : 0;
                return below.y() + part * (p.y() - below.y());
            }
            below = p;
        }
        return below.y();
    }

    @Override
    public DataTable data() {
        DataTable.Builder table = DataTable.captioned(title + ": the points drawn")
                .words("Series")
                .numbers("Cache size", Unit.TOKENS)
                .numbers("Prefix hit", Unit.PERCENT);
        reuse.forEach(p ->
                table.row(Cell.words("Reuse distance"), Cell.of(p.x(), Unit.TOKENS), Cell.of(p.y(), Unit.PERCENT)));
        for (Series s : simulated) {
            s.points()
                    .forEach(p -> table.row(
                            Cell.words(s.name()),
                            Cell.of(p.x(), Unit.TOKENS),
                            Cell.of(p.y(), Unit.PERCENT, p.range(), Cell.Mark.NONE)));
        }
        marks.forEach(m -> table.row(
                Cell.words(m.name()), Cell.of(m.tokens(), Unit.TOKENS), Cell.of(known(m.tokens()), Unit.PERCENT)));
        return table.build();
    }

    @Override
    public List<Layout> layouts() {
        return List.of(Layout.wide(340), Layout.narrow(300));
    }

    @Override
    public JFreeChart draw(ChartStyle style, Layout layout) {
        Series curve = new Series("Reuse distance (upper bound)", SeriesStyle.REFERENCE_POSITION, reuse);
        List<Series> all = Stream.concat(Stream.of(curve), simulated.stream()).toList();
        Extent x = Extent.ofX(all);
        for (Mark mark : marks) {
            x = x.and(mark.tokens());
        }
        x = x.ratios();
        Extent points = Extent.ofY(all);
        Extent y =
                points.and(points.high() * (1 + ROOM_FOR_A_MARK * marks.size())).fromZero(100);
        PointPlot plot = new PointPlot(
                style,
                ScaledAxis.of(TOKENS, x.low(), x.high()),
                ScaledAxis.of(Scale.linear(Scale::trimmed), y.low(), y.high()));
        List<Mark> ordered = new ArrayList<>(marks);
        ordered.sort((a, b) -> Double.compare(a.tokens(), b.tokens()));
        ordered.forEach(m -> plot.vertical(m.tokens(), m.name()));
        plot.line(curve);
        for (Series s : simulated) {
            plot.markers(s, titles(s));
        }
        return plot.chart(
                "Cache size in tokens, log scale", "Prompt tokens found in the cache, %", !simulated.isEmpty());
    }

    private static List<String> titles(Series series) {
        return series.points().stream()
                .map(p -> series.name() + ", " + Unit.TOKENS.text(p.x()) + ": " + Unit.PERCENT.text(p.y()))
                .toList();
    }
}
