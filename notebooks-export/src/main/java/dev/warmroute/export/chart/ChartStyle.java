package dev.warmroute.export.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.util.Objects;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.block.ColumnArrangement;
import org.jfree.chart.block.FlowArrangement;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.VerticalAlignment;

/**
 * The look of all charts: no boxes, thin horizontal grid lines, text horizontal, what is measured named above the axis. The
 * background is left to the page.
 */
public final class ChartStyle {
    static final float TEXT_SIZE = 12f;
    private static final BasicStroke HAIRLINE = new BasicStroke(1f);

    private final ChartTheme theme;

    ChartStyle(ChartTheme theme) {
        this.theme = Objects.requireNonNull(theme, "theme");
    }

    Color colour(Ink ink) {
        return theme.colour(ink);
    }

    Font text() {
        return new PlainFont(Font.PLAIN, TEXT_SIZE);
    }

    Font strong() {
        return new PlainFont(Font.BOLD, TEXT_SIZE);
    }

    /** An empty plot with the house's axes; grid lines run across the values. */
    XYPlot plot(ScaledAxis domain, ScaledAxis range, PlotOrientation orientation) {
        dress(domain);
        dress(range);
        XYPlot plot = new XYPlot(null, domain, range, null);
        plot.setOrientation(orientation);
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setInsets(new RectangleInsets(0, 0, 0, 0));
        plot.setAxisOffset(new RectangleInsets(0, 0, 0, 0));
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinePaint(colour(Ink.GRID));
        plot.setRangeGridlineStroke(HAIRLINE);
        plot.setRangeZeroBaselineVisible(false);
        domain.setAxisLineVisible(true);
        domain.setTickMarksVisible(orientation == PlotOrientation.VERTICAL);
        return plot;
    }

    private void dress(Axis axis) {
        axis.setTickLabelFont(text());
        axis.setTickLabelPaint(colour(Ink.MUTED));
        axis.setLabelFont(text());
        axis.setLabelPaint(colour(Ink.MUTED));
        axis.setLabelInsets(new RectangleInsets(4, 0, 0, 0));
        axis.setAxisLinePaint(colour(Ink.AXIS));
        axis.setAxisLineStroke(HAIRLINE);
        axis.setAxisLineVisible(false);
        axis.setTickMarkPaint(colour(Ink.AXIS));
        axis.setTickMarkStroke(HAIRLINE);
        axis.setTickMarksVisible(false);
        axis.setTickLabelInsets(new RectangleInsets(3, 4, 3, 6));
    }

    /**
     * Makes a chart of a plot.
     *
     * @param measure what the values are, written above them; empty for none
     */
    JFreeChart chart(XYPlot plot, String measure) {
        JFreeChart chart = new JFreeChart(null, JFreeChart.DEFAULT_TITLE_FONT, plot, false);
        chart.setBackgroundPaint(null);
        chart.setBorderVisible(false);
        chart.setPadding(new RectangleInsets(2, 2, 4, 14));
        if (plot.getFixedLegendItems() != null && plot.getFixedLegendItems().getItemCount() > 0) {
            chart.addSubtitle(legend(plot));
        }
        if (!measure.isEmpty()) {
            chart.addSubtitle(line(measure, text(), Ink.MUTED));
        }
        return chart;
    }

    /** A line of text above the plot, at its left. */
    TextTitle line(String text, Font font, Ink ink) {
        TextTitle title = new TextTitle(text, font);
        title.setPaint(colour(ink));
        title.setPosition(RectangleEdge.TOP);
        title.setHorizontalAlignment(HorizontalAlignment.LEFT);
        title.setTextAlignment(HorizontalAlignment.LEFT);
        title.setPadding(new RectangleInsets(2, 2, 9, 0));
        title.setExpandToFitSpace(true);
        return title;
    }

    private LegendTitle legend(XYPlot plot) {
        LegendTitle legend = new LegendTitle(
                plot,
                new FlowArrangement(HorizontalAlignment.LEFT, VerticalAlignment.CENTER, 6, 2),
                new ColumnArrangement(HorizontalAlignment.LEFT, VerticalAlignment.CENTER, 0, 0));
        legend.setItemFont(text());
        legend.setItemPaint(colour(Ink.TEXT));
        legend.setBackgroundPaint(null);
        legend.setFrame(BlockBorder.NONE);
        legend.setPosition(RectangleEdge.TOP);
        legend.setHorizontalAlignment(HorizontalAlignment.LEFT);
        legend.setLegendItemGraphicAnchor(RectangleAnchor.CENTER);
        legend.setItemLabelPadding(new RectangleInsets(2, 3, 2, 6));
        legend.setPadding(new RectangleInsets(0, 0, 4, 0));
        return legend;
    }

    /** Legend entry of a line, of markers, or of both. */
    LegendItem entry(String name, SeriesStyle series, boolean line, boolean marker) {
        return entry(name, series.shape(), marker, series.ink(), line, series.line());
    }

    /** Legend entry of an area. */
    LegendItem entry(String name, Shape patch, Ink ink) {
        return entry(name, patch, true, ink, false, HAIRLINE);
    }

    private LegendItem entry(String name, Shape shape, boolean marker, Ink ink, boolean line, BasicStroke stroke) {
        return new LegendItem(
                name,
                "",
                "",
                "",
                marker,
                shape,
                true,
                colour(ink),
                false,
                colour(ink),
                HAIRLINE,
                line,
                new Line2D.Double(-11, 0, 11, 0),
                stroke,
                colour(ink));
    }
}
