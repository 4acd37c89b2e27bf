package dev.warmroute.simulator.gate;

import dev.warmroute.simulator.compare.Interval;

/** How a figure is held against its bound. */
public enum Comparison {
    AT_LEAST(">=", true),
    AT_MOST("<=", false),
    ABOVE(">", true),
    BELOW("<", false);

    private final String symbol;
    private final boolean upward;

    Comparison(String symbol, boolean upward) {
        this.symbol = symbol;
        this.upward = upward;
    }

    public String symbol() {
        return symbol;
    }

    boolean holds(double value, double bound) {
        return switch (this) {
            case AT_LEAST -> value >= bound;
            case AT_MOST -> value <= bound;
            case ABOVE -> value > bound;
            case BELOW -> value < bound;
        };
    }

    /** The end of an interval at which it is hardest to hold. */
    double hardest(Interval interval) {
        return upward ? interval.low() : interval.high();
    }

    /** The end at which it is easiest to hold. */
    double easiest(Interval interval) {
        return upward ? interval.high() : interval.low();
    }
}
