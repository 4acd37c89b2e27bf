package dev.warmroute.export.chart;

import dev.warmroute.export.chart.Chart.Layout;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/** A chart with its title above and its source below, for files that stand alone. */
final class Framed {
    private Framed() {}

    static JFreeChart draw(Chart chart, ChartStyle style, Layout layout) {
        JFreeChart drawing = chart.draw(style, layout);
        TextTitle title = style.line(chart.title(), style.strong(), Ink.TEXT);
        title.setPadding(new RectangleInsets(6, 2, 6, 0));
        drawing.setTitle(title);
        TextTitle source = style.line(chart.source().text(), style.text(), Ink.MUTED);
        source.setPosition(RectangleEdge.BOTTOM);
        source.setHorizontalAlignment(HorizontalAlignment.LEFT);
        drawing.addSubtitle(source);
        return drawing;
    }
}
