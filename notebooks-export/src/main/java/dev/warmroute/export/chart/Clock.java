package dev.warmroute.export.chart;

/**
 * The unit in which moments of a run are read: seconds for a short one, days for a long one.
 *
 * @param unit its name
 * @param seconds how long it is
 */
record Clock(String unit, double seconds) {
    /** The unit for a run of so many seconds. */
    static Clock of(double span) {
        return span < 300
                ? new Clock("seconds", 1)
                : span < 3 * 3_600
                        ? new Clock("minutes", 60)
                        : span < 4 * 86_400 ? new Clock("hours", 3_600) : new Clock("days", 86_400);
    }

    ScaledAxis axis(double from, double to) {
        return ScaledAxis.of(Scale.linear(Scale::trimmed), at(from), at(to));
    }

    /** A moment in the unit. */
    double at(double s) {
        return s / seconds;
    }

    String words(double s) {
        return Scale.trimmed(at(s)) + ' ' + unit;
    }
}
