package dev.warmroute.export.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** An axis of any {@link Scale}, or one with given labels. Data on it are positions of the scale, not values. */
final class ScaledAxis extends NumberAxis {
    private static final long serialVersionUID = 1;
    private static final double PIXELS_BETWEEN_LABELS_ACROSS = 62;
    private static final double PIXELS_BETWEEN_LABELS_DOWN = 40;

    private final transient Scale scale;
    private final double low;
    private final double high;
    private final transient List<String> names;
    private final transient List<Double> values;

    private ScaledAxis(Scale scale, double low, double high, List<String> names, List<Double> values) {
        this.scale = scale;
        this.low = low;
        this.high = high;
        this.names = List.copyOf(names);
        this.values = List.copyOf(values);
        setAutoRange(false);
    }

    /** Axis over the values from {@code low} to {@code high}. */
    static ScaledAxis of(Scale scale, double low, double high) {
        return of(scale, low, high, List.of());
    }

    /** The same with labels at these values only. */
    static ScaledAxis of(Scale scale, double low, double high, List<Double> values) {
        ScaledAxis axis = new ScaledAxis(scale, low, high, List.of(), values);
        axis.setRange(scale.position(low), scale.position(high));
        return axis;
    }

    /** Axis of the names at the positions 0, 1, 2 ... */
    static ScaledAxis named(List<String> names) {
        ScaledAxis axis = new ScaledAxis(Scale.linear(Scale::trimmed), 0, names.size() - 1, names, List.of());
        axis.setRange(-0.5, names.size() - 0.5);
        return axis;
    }

    double position(double value) {
        return scale.position(value);
    }

    boolean contains(double value) {
        return value >= low && value <= high;
    }

    @Override
    public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D area, RectangleEdge edge) {
        boolean across = RectangleEdge.isTopOrBottom(edge);
        TextAnchor anchor = across ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
        List<NumberTick> ticks = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            ticks.add(new NumberTick(i, names.get(i), anchor, TextAnchor.CENTER, 0));
        }
        if (names.isEmpty()) {
            int about = (int)
                    (across
                            ? area.getWidth() / PIXELS_BETWEEN_LABELS_ACROSS
                            : area.getHeight() / PIXELS_BETWEEN_LABELS_DOWN);
            for (double round : values.isEmpty() ? scale.rounds(low, high, Math.max(2, about)) : values) {
                ticks.add(new NumberTick(scale.position(round), scale.label(round), anchor, TextAnchor.CENTER, 0));
            }
        }
        return ticks;
    }
}
