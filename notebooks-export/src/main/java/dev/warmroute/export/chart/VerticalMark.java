package dev.warmroute.export.chart;

import java.awt.BasicStroke;
import java.util.Optional;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;

/** A vertical line with a name. */
final class VerticalMark {
    private static final int LABEL_LINE = 16;

    private VerticalMark() {}

    /**
     * Makes the line; empty for a value outside the axis.
     *
     * @param line line of text that the name stands in, from the top, so that names do not cover each other
     */
    static Optional<ValueMarker> of(ChartStyle style, ScaledAxis x, double value, String name, int line) {
        if (!x.contains(value)) {
            return Optional.empty();
        }
        double at = x.position(value);
        boolean left = x.getRange().getLength() * 0.62 < at - x.getRange().getLowerBound();
        ValueMarker marker = new ValueMarker(at, style.colour(Ink.TEXT), new BasicStroke(1.2f));
        marker.setAlpha(1f);
        marker.setLabel(name);
        marker.setLabelFont(style.strong());
        marker.setLabelPaint(style.colour(Ink.TEXT));
        marker.setLabelBackgroundColor(style.colour(Ink.PAPER));
        marker.setLabelAnchor(left ? RectangleAnchor.TOP_LEFT : RectangleAnchor.TOP_RIGHT);
        marker.setLabelTextAnchor(left ? TextAnchor.TOP_RIGHT : TextAnchor.TOP_LEFT);
        marker.setLabelOffset(new RectangleInsets(2 + line * LABEL_LINE, 5, 2, 5));
        return Optional.of(marker);
    }
}
