package dev.warmroute.simulator.gate;

/**
 * What a figure is held against: {@code times * baseline + offset}.
 *
 * @param times how often the baseline's figure counts; 0 for a bound of its own
 * @param offset in the metric's unit
 */
public record Bound(double times, double offset) {
    public Bound {
        if (!(times >= 0) || !Double.isFinite(times) || !Double.isFinite(offset)) {
            throw new IllegalArgumentException("a bound of " + times + " times the baseline and " + offset);
        }
    }

    boolean relative() {
        return times != 0;
    }

    double at(double baseline) {
        return times * baseline + offset;
    }
}
