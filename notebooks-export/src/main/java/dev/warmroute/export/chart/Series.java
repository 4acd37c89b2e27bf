package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Points that belong together, usually those of a policy.
 *
 * @param name its name in the legend
 * @param style position in the list of styles; a policy keeps its position in all charts of a report
 */
public record Series(String name, int style, List<Point> points) {
    public Series {
        Objects.requireNonNull(name, "name");
        points = List.copyOf(points);
    }

    /** One point; its interval is along y. */
    public record Point(double x, double y, Optional<Cell.Range> range) {
        public Point {
            Objects.requireNonNull(range, "range");
            if (!Double.isFinite(x) || !Double.isFinite(y)) {
                throw new IllegalArgumentException("not a point to draw: " + x + ", " + y);
            }
        }

        public Point(double x, double y) {
            this(x, y, Optional.empty());
        }
    }
}
