package dev.warmroute.export.chart;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYLineAnnotation;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYItemRendererState;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.svg.SVGHints;

/** Lines, markers with intervals, reference lines and bands on one pair of axes. */
final class PointPlot {
    private final ChartStyle style;
    private final ScaledAxis x;
    private final ScaledAxis y;
    private final XYPlot plot;
    private final LegendItemCollection legend = new LegendItemCollection();
    private int datasets;
    private int markers;

    PointPlot(ChartStyle style, ScaledAxis x, ScaledAxis y) {
        this(style, x, y, PlotOrientation.VERTICAL);
    }

    /** Plot in which, lying, x runs down the left side and y along the foot. */
    PointPlot(ChartStyle style, ScaledAxis x, ScaledAxis y, PlotOrientation orientation) {
        this.style = style;
        this.x = x;
        this.y = y;
        this.plot = style.plot(x, y, orientation);
        x.setInverted(orientation == PlotOrientation.HORIZONTAL);
    }

    /** Draws a line without markers. */
    PointPlot line(Series series) {
        return add(series, true, false, List.of());
    }

    /** Draws markers with their intervals; {@code titles} say what each is when it is pointed at. */
    PointPlot markers(Series series, List<String> titles) {
        return add(series, false, true, titles);
    }

    PointPlot lineWithMarkers(Series series, List<String> titles) {
        return add(series, true, true, titles);
    }

    private PointPlot add(Series series, boolean line, boolean marker, List<String> titles) {
        XYIntervalSeries data = new XYIntervalSeries(series.name(), false, true);
        for (Series.Point p : series.points()) {
            double at = x.position(p.x());
            double low = y.position(p.range().map(r -> r.low()).orElse(p.y()));
            double high = y.position(p.range().map(r -> r.high()).orElse(p.y()));
            data.add(at, at, at, y.position(p.y()), low, high);
        }
        XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
        dataset.addSeries(data);
        SeriesStyle look = SeriesStyle.at(series.style());
        TitledRenderer renderer = new TitledRenderer(titles);
        renderer.setDefaultLinesVisible(line);
        renderer.setDefaultShapesVisible(marker);
        renderer.setDrawSeriesLineAsPath(true);
        renderer.setDrawXError(false);
        renderer.setDrawYError(marker);
        renderer.setCapLength(0);
        renderer.setErrorStroke(new BasicStroke(1.6f));
        renderer.setErrorPaint(style.colour(look.ink()));
        renderer.setSeriesPaint(0, style.colour(look.ink()));
        renderer.setSeriesStroke(0, look.line());
        renderer.setSeriesShape(0, look.shape());
        renderer.setUseOutlinePaint(true);
        renderer.setSeriesOutlinePaint(0, style.colour(Ink.PAPER));
        renderer.setSeriesOutlineStroke(0, new BasicStroke(0.6f));
        plot.setDataset(datasets, dataset);
        plot.setRenderer(datasets++, renderer);
        legend.add(style.entry(series.name(), look, line, marker));
        return this;
    }

    /** Draws a vertical line with its name at the top; a value outside the axis is left out. */
    PointPlot vertical(double value, String name) {
        VerticalMark.of(style, x, value, name, markers).ifPresent(m -> {
            plot.addDomainMarker(m, Layer.BACKGROUND);
            markers++;
        });
        return this;
    }

    /** Shades a range of x behind everything, with its name at the foot. */
    PointPlot band(double from, double to, String name) {
        IntervalMarker band = new IntervalMarker(x.position(from), x.position(to), style.colour(Ink.BAND));
        band.setAlpha(1f);
        band.setOutlinePaint(null);
        band.setLabel(name);
        band.setLabelFont(style.text());
        band.setLabelPaint(style.colour(Ink.MUTED));
        band.setLabelBackgroundColor(style.colour(Ink.BAND));
        band.setLabelAnchor(RectangleAnchor.TOP_LEFT);
        band.setLabelTextAnchor(TextAnchor.TOP_LEFT);
        band.setLabelOffset(new RectangleInsets(2, 4, 2, 4));
        plot.addDomainMarker(band, Layer.BACKGROUND);
        return this;
    }

    /** Writes a text beside a point of values, a little to its right. */
    PointPlot beside(double atX, double atY, String text) {
        XYTextAnnotation label = new XYTextAnnotation("\u2002" + text, x.position(atX), y.position(atY));
        label.setFont(style.text());
        label.setPaint(style.colour(Ink.TEXT));
        label.setTextAnchor(TextAnchor.CENTER_LEFT);
        plot.addAnnotation(label);
        return this;
    }

    /** Draws a straight thin line between two points of values. */
    PointPlot segment(double fromX, double fromY, double toX, double toY, boolean dashed) {
        BasicStroke stroke = dashed
                ? new BasicStroke(1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, new float[] {4, 4}, 0f)
                : new BasicStroke(1.2f);
        plot.addAnnotation(new XYLineAnnotation(
                x.position(fromX),
                y.position(fromY),
                x.position(toX),
                y.position(toY),
                stroke,
                style.colour(Ink.AXIS)));
        return this;
    }

    /**
     * Ends the drawing.
     *
     * @param across what x is, written under it
     * @param measure what y is, written above it
     * @param withLegend whether the series are named
     */
    JFreeChart chart(String across, String measure, boolean withLegend) {
        (plot.getOrientation() == PlotOrientation.VERTICAL ? x : y).setLabel(across.isEmpty() ? null : across);
        plot.setFixedLegendItems(withLegend ? legend : new LegendItemCollection());
        return style.chart(plot, measure);
    }

    /** Puts a title around each marker, which SVG shows when it is pointed at. */
    private static final class TitledRenderer extends XYErrorRenderer {
        private static final long serialVersionUID = 1;
        private final transient List<String> titles;

        private TitledRenderer(List<String> titles) {
            this.titles = new ArrayList<>(titles);
        }

        @Override
        public void drawItem(
                Graphics2D g2,
                XYItemRendererState state,
                Rectangle2D area,
                PlotRenderingInfo info,
                XYPlot plot,
                ValueAxis domain,
                ValueAxis range,
                XYDataset dataset,
                int series,
                int item,
                CrosshairState crosshair,
                int pass) {
            boolean titled = isItemPass(pass) && item < titles.size();
            if (titled) {
                g2.setRenderingHint(SVGHints.KEY_BEGIN_GROUP, Map.of());
                g2.setRenderingHint(SVGHints.KEY_ELEMENT_TITLE, titles.get(item));
            }
            super.drawItem(g2, state, area, info, plot, domain, range, dataset, series, item, crosshair, pass);
            if (titled) {
                g2.setRenderingHint(SVGHints.KEY_END_GROUP, "");
            }
        }
    }
}
