package dev.warmroute.export.chart;

import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.function.DoubleFunction;

/** Colour, shape and dash of a series; they differ together, so that no reader depends on colour. */
enum SeriesStyle {
    FIRST(Ink.BLUE, SeriesStyle::circle, null),
    SECOND(Ink.ORANGE, SeriesStyle::square, new float[] {7, 4}),
    THIRD(Ink.GREEN, SeriesStyle::triangle, new float[] {2, 3}),
    FOURTH(Ink.PURPLE, SeriesStyle::diamond, new float[] {9, 3, 2, 3}),
    FIFTH(Ink.OCHRE, SeriesStyle::downward, new float[] {4, 2}),
    SIXTH(Ink.ROSE, SeriesStyle::cross, new float[] {12, 4}),
    SEVENTH(Ink.BLUE, SeriesStyle::square, new float[] {2, 3}),
    EIGHTH(Ink.ORANGE, SeriesStyle::triangle, null),
    NINTH(Ink.GREEN, SeriesStyle::diamond, new float[] {7, 4}),
    TENTH(Ink.PURPLE, SeriesStyle::circle, new float[] {4, 2}),
    /** Not a policy: a bound to hold the others against. */
    REFERENCE(Ink.MUTED, SeriesStyle::circle, null);

    /** Position of {@link #REFERENCE}. */
    static final int REFERENCE_POSITION = -1;

    private final Ink ink;
    private final DoubleFunction<Shape> shape;
    private final float[] dash;

    SeriesStyle(Ink ink, DoubleFunction<Shape> shape, float[] dash) {
        this.ink = ink;
        this.shape = shape;
        this.dash = dash;
    }

    /** Style of the series with this position, from 0; they come round after ten. */
    static SeriesStyle at(int position) {
        return position == REFERENCE_POSITION ? REFERENCE : values()[position % REFERENCE.ordinal()];
    }

    Ink ink() {
        return ink;
    }

    /** Marker around the origin, about 2 {@code r} wide. */
    Shape shape() {
        return shape.apply(4.2);
    }

    BasicStroke line() {
        return dash == null
                ? new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, dash, 0f);
    }

    private static Shape circle(double r) {
        return new Ellipse2D.Double(-r, -r, 2 * r, 2 * r);
    }

    private static Shape square(double r) {
        double a = r * 0.9;
        return new Rectangle2D.Double(-a, -a, 2 * a, 2 * a);
    }

    private static Shape triangle(double r) {
        return polygon(0, -1.2 * r, 1.1 * r, 0.8 * r, -1.1 * r, 0.8 * r);
    }

    private static Shape downward(double r) {
        return polygon(0, 1.2 * r, 1.1 * r, -0.8 * r, -1.1 * r, -0.8 * r);
    }

    private static Shape diamond(double r) {
        double a = 1.25 * r;
        return polygon(0, -a, a, 0, 0, a, -a, 0);
    }

    private static Shape cross(double r) {
        double a = 1.15 * r, b = 0.4 * r;
        return polygon(-b, -a, b, -a, b, -b, a, -b, a, b, b, b, b, a, -b, a, -b, b, -a, b, -a, -b, -b, -b);
    }

    private static Shape polygon(double... xy) {
        Path2D path = new Path2D.Double();
        path.moveTo(xy[0], xy[1]);
        for (int i = 2; i < xy.length; i += 2) {
            path.lineTo(xy[i], xy[i + 1]);
        }
        path.closePath();
        return path;
    }
}
