package dev.warmroute.export.chart;

import dev.warmroute.export.chart.Chart.Layout;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.JFreeChart;
import org.jfree.svg.SVGGraphics2D;

/**
 * Writes charts as SVG: for a page ({@link #inline}) or as a file of its own ({@link #document}). Both follow the reader's
 * light or dark theme. The same chart gives the same bytes on every machine, whatever fonts it has.
 */
public final class SvgWriter {

    /** Returns an {@code svg} element for a page that has {@link ChartTheme#css()}; ids in it begin with the chart's. */
    public String inline(Chart chart, Layout layout) {
        String id = chart.id() + '-' + layout.name();
        return new SvgElement(
                        id,
                        chart.title(),
                        chart.summary(),
                        "chart chart-" + layout.name(),
                        layout.width(),
                        layout.height())
                .write(draw(chart, layout, false), "");
    }

    /** Returns an SVG document with its own style sheet, title and source line. */
    public String document(Chart chart) {
        Layout layout = chart.layouts().get(0);
        Layout taller = new Layout(layout.name(), layout.width(), layout.height() + 48);
        String css = "svg{background:#fff}" + ChartTheme.css()
                + "@media screen and (prefers-color-scheme:dark){svg{background:#171b21}}"
                + "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}";
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + new SvgElement(chart.id(), chart.title(), chart.summary(), "chart", taller.width(), taller.height())
                        .write(draw(chart, taller, true), css)
                + "\n";
    }

    private static String draw(Chart chart, Layout layout, boolean titled) {
        JFreeChart drawing = titled
                ? Framed.draw(chart, new ChartStyle(ChartTheme.BOTH), layout)
                : chart.draw(new ChartStyle(ChartTheme.BOTH), layout);
        SVGGraphics2D svg = new SVGGraphics2D(layout.width(), layout.height());
        svg.setDefsKeyPrefix(chart.id() + '-' + layout.name() + '-');
        svg.setGeomDoubleConverter(SvgWriter::rounded);
        svg.setTransformDoubleConverter(SvgWriter::rounded);
        drawing.draw(new MeasuredGraphics(svg), new Rectangle2D.Double(0, 0, layout.width(), layout.height()));
        return svg.getSVGElement();
    }

    /** A tenth of a pixel is enough. */
    private static String rounded(double value) {
        long tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
    }
}
