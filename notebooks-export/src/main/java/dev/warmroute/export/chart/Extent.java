package dev.warmroute.export.chart;

import java.util.Collection;

/** Ends of an axis that hold a set of points and their intervals. */
record Extent(double low, double high) {

    static Extent ofY(Collection<Series> series) {
        double low = Double.POSITIVE_INFINITY, high = Double.NEGATIVE_INFINITY;
        for (Series s : series) {
            for (Series.Point p : s.points()) {
                low = Math.min(low, p.range().map(r -> r.low()).orElse(p.y()));
                high = Math.max(high, p.range().map(r -> r.high()).orElse(p.y()));
            }
        }
        return known(low, high);
    }

    static Extent ofX(Collection<Series> series) {
        double low = Double.POSITIVE_INFINITY, high = Double.NEGATIVE_INFINITY;
        for (Series s : series) {
            for (Series.Point p : s.points()) {
                low = Math.min(low, p.x());
                high = Math.max(high, p.x());
            }
        }
        return known(low, high);
    }

    private static Extent known(double low, double high) {
        return low <= high ? new Extent(low, high) : new Extent(0, 1);
    }

    Extent and(double value) {
        return new Extent(Math.min(low, value), Math.max(high, value));
    }

    /** From 0 to a little more than the highest, but not beyond {@code most} when nothing else is. */
    Extent fromZero(double most) {
        double top = high <= 0 ? 1 : high * 1.06;
        return new Extent(Math.min(0, low * 1.06), high <= most ? Math.min(most, top) : top);
    }

    /** Some room on both sides, for a log axis; at least a factor of four. */
    Extent ratios() {
        double bottom = Math.max(low, 1e-3) / 1.15, top = Math.max(high, 1.1e-3) * 1.15;
        double lack = Math.max(1, Math.sqrt(4 / (top / bottom)));
        return new Extent(bottom / lack, top * lack);
    }

    /** Some room on both sides. */
    Extent padded() {
        double room = high > low ? (high - low) * 0.06 : Math.max(1, Math.abs(high) * 0.1);
        return new Extent(low - room, high + room);
    }
}
