package dev.warmroute.export.chart;

import java.awt.BasicStroke;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Bars and stacked bars over named positions. */
final class BarPlot {
    private static final double HALF_WIDTH = 0.34;

    private final ChartStyle style;
    private final XYPlot plot;
    private final LegendItemCollection legend = new LegendItemCollection();
    private int datasets;

    BarPlot(ChartStyle style, ScaledAxis names, ScaledAxis values, PlotOrientation orientation) {
        this.style = style;
        this.plot = style.plot(names, values, orientation);
        names.setInverted(orientation == PlotOrientation.HORIZONTAL);
        names.setTickMarksVisible(false);
    }

    /**
     * Draws one segment of each bar.
     *
     * @param from where each begins
     * @param to where each ends
     */
    BarPlot segments(String name, Ink ink, double[] from, double[] to) {
        XYIntervalSeries data = new XYIntervalSeries(name, false, true);
        for (int i = 0; i < from.length; i++) {
            if (to[i] > from[i]) {
                data.add(i, i - HALF_WIDTH, i + HALF_WIDTH, to[i], from[i], to[i]);
            }
        }
        XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
        dataset.addSeries(data);
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setUseYInterval(true);
        renderer.setShadowVisible(false);
        renderer.setBarPainter(new StandardXYBarPainter());
        renderer.setDrawBarOutline(true);
        renderer.setSeriesPaint(0, style.colour(ink));
        renderer.setSeriesOutlinePaint(0, style.colour(Ink.PAPER));
        renderer.setSeriesOutlineStroke(0, new BasicStroke(1.2f));
        plot.setDataset(datasets, dataset);
        plot.setRenderer(datasets++, renderer);
        legend.add(style.entry(name, new Rectangle2D.Double(-5, -5, 10, 10), ink));
        return this;
    }

    /** Writes a text at a bar. */
    BarPlot label(double position, double value, String text, Ink ink, TextAnchor anchor) {
        XYTextAnnotation label = new XYTextAnnotation(text, position, value);
        label.setFont(style.text());
        label.setPaint(style.colour(ink));
        label.setTextAnchor(anchor);
        plot.addAnnotation(label);
        return this;
    }

    /** Draws a dashed line at a value. */
    BarPlot level(double value) {
        BasicStroke dashed =
                new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, new float[] {5, 4}, 0f);
        ValueMarker marker = new ValueMarker(value, style.colour(Ink.TEXT), dashed);
        marker.setAlpha(1f);
        plot.addRangeMarker(marker, Layer.FOREGROUND);
        return this;
    }

    /** Shades a range of values behind the bars. */
    BarPlot between(double low, double high) {
        IntervalMarker band = new IntervalMarker(low, high, style.colour(Ink.BAND));
        band.setAlpha(1f);
        band.setOutlinePaint(null);
        plot.addRangeMarker(band, Layer.BACKGROUND);
        return this;
    }

    JFreeChart chart(String measure, boolean withLegend) {
        plot.setFixedLegendItems(withLegend ? legend : new LegendItemCollection());
        return style.chart(plot, measure);
    }
}
