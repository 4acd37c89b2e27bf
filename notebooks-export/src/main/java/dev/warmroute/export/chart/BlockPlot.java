package dev.warmroute.export.chart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.AbstractXYAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleEdge;

/** Filled rectangles and bands over two axes; all of one name are one shape. */
final class BlockPlot {
    private final ChartStyle style;
    private final ScaledAxis x;
    private final ScaledAxis y;
    private final XYPlot plot;
    private final LegendItemCollection legend = new LegendItemCollection();

    BlockPlot(ChartStyle style, ScaledAxis x, ScaledAxis y) {
        this.style = style;
        this.x = x;
        this.y = y;
        this.plot = style.plot(x, y, PlotOrientation.VERTICAL);
        plot.setRenderer(new XYLineAndShapeRenderer()); // grid lines are drawn only where there is one
    }

    /** A plot with named rows, the first at the top. */
    static BlockPlot rows(ChartStyle style, ScaledAxis x, List<String> names) {
        ScaledAxis rows = ScaledAxis.named(names);
        rows.setInverted(true);
        BlockPlot blocks = new BlockPlot(style, x, rows);
        blocks.plot.setRangeGridlinesVisible(false);
        return blocks;
    }

    /** A rectangle, in values of the axes; {@code fromY} may be above {@code toY}. */
    record Block(double fromX, double toX, double fromY, double toY) {}

    /** Fills rectangles; a name that is not empty goes into the legend. */
    BlockPlot fill(String name, Ink ink, List<Block> blocks) {
        Path2D.Double path = new Path2D.Double();
        for (Block b : blocks) {
            double left = x.position(b.fromX()), right = x.position(b.toX());
            double foot = y.position(b.fromY()), top = y.position(b.toY());
            path.moveTo(left, foot);
            path.lineTo(left, top);
            path.lineTo(right, top);
            path.lineTo(right, foot);
            path.closePath();
        }
        return fill(name, ink, path);
    }

    /**
     * Fills what lies between two lines.
     *
     * @param at where their points are
     */
    BlockPlot band(String name, Ink ink, double[] at, double[] low, double[] high) {
        Path2D.Double path = new Path2D.Double();
        path.moveTo(x.position(at[0]), y.position(low[0]));
        for (int i = 0; i < at.length; i++) {
            path.lineTo(x.position(at[i]), y.position(high[i]));
        }
        for (int i = at.length - 1; i > 0; i--) {
            path.lineTo(x.position(at[i]), y.position(low[i]));
        }
        path.closePath();
        return fill(name, ink, path);
    }

    private BlockPlot fill(String name, Ink ink, Path2D path) {
        plot.addAnnotation(new Filled(path, style.colour(ink)));
        if (!name.isEmpty()) {
            legend.add(style.entry(name, new Rectangle2D.Double(-5, -5, 10, 10), ink));
        }
        return this;
    }

    /** Draws a vertical line with its name at the top; a value outside the axis is left out. */
    BlockPlot vertical(double value, String name, int line) {
        VerticalMark.of(style, x, value, name, line).ifPresent(m -> plot.addDomainMarker(m, Layer.FOREGROUND));
        return this;
    }

    /**
     * Ends the drawing.
     *
     * @param across what x is, written under it
     * @param measure what y is, written above it
     */
    JFreeChart chart(String across, String measure) {
        x.setLabel(across);
        plot.setFixedLegendItems(legend);
        return style.chart(plot, measure);
    }

    /** A shape in positions of the axes. */
    private static final class Filled extends AbstractXYAnnotation {
        private static final long serialVersionUID = 1;
        private final transient Path2D path;
        private final transient Color colour;

        private Filled(Path2D path, Color colour) {
            this.path = path;
            this.colour = colour;
        }

        @Override
        public void draw(
                Graphics2D g2,
                XYPlot plot,
                Rectangle2D area,
                ValueAxis domain,
                ValueAxis range,
                int index,
                PlotRenderingInfo info) {
            RectangleEdge across = plot.getDomainAxisEdge(), up = plot.getRangeAxisEdge();
            Path2D.Double shape = new Path2D.Double();
            double[] c = new double[6];
            for (var i = path.getPathIterator(null); !i.isDone(); i.next()) {
                int segment = i.currentSegment(c);
                if (segment == PathIterator.SEG_CLOSE) {
                    shape.closePath();
                    continue;
                }
                double px = domain.valueToJava2D(c[0], area, across), py = range.valueToJava2D(c[1], area, up);
                if (segment == PathIterator.SEG_MOVETO) {
                    shape.moveTo(px, py);
                } else {
                    shape.lineTo(px, py);
                }
            }
            g2.setPaint(colour);
            g2.fill(shape);
        }
    }
}
