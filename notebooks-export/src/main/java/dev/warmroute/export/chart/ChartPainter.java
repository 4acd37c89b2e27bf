package dev.warmroute.export.chart;

import dev.warmroute.export.chart.Chart.Layout;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;

/** Draws charts for light paper on graphics that write text in a typeface of their own, as wide as {@link TextWidths} says. */
public final class ChartPainter {
    private ChartPainter() {}

    /** Draws a chart, without title and source, from the origin. */
    public static void paint(Chart chart, Layout layout, Graphics2D graphics) {
        chart.draw(new ChartStyle(ChartTheme.LIGHT), layout)
                .draw(
                        MeasuredGraphics.withOwnFonts(graphics),
                        new Rectangle2D.Double(0, 0, layout.width(), layout.height()));
    }
}
