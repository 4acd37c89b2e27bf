package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.StudentT;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * By how much the demand grows.
 *
 * @param tokensPerDay tokens more every day; empty when it is not known
 * @param explanation where it comes from, or why it is not known, in one sentence
 */
record Growth(OptionalDouble tokensPerDay, String explanation) {
    private static final double DAY_S = 86_400;
    private static final double HOUR_S = 3_600;
    /** Days below which a rise cannot be told from the ups and downs of single days. */
    private static final int LEAST_DAYS = 3;

    Growth {
        Objects.requireNonNull(tokensPerDay, "tokensPerDay");
        Objects.requireNonNull(explanation, "explanation");
    }

    static Growth unknown(String why) {
        return new Growth(OptionalDouble.empty(), why);
    }

    /**
     * What somebody expects.
     *
     * @param pctPerDay percent of today's demand, every day
     * @param demandTokens today's demand
     */
    static Growth given(double pctPerDay, double demandTokens) {
        if (!(pctPerDay > 0 && pctPerDay <= 1_000)) {
            throw new UserError("the growth per day must be above 0 and at most 1000 percent, not " + pctPerDay);
        }
        return new Growth(
                OptionalDouble.of(pctPerDay / 100 * demandTokens),
                String.format(
                        Locale.ROOT,
                        "%s %% of today's demand a day, given",
                        Double.toString(pctPerDay).replaceAll("\\.0$", "")));
    }

    /** What a trace's own working set shows: the least-squares slope of its daily peaks over whole days, where its 95 % interval is above 0. */
    static Growth of(WorkingSet set) {
        double spanS = set.points().size() * set.everyS();
        int days = (int) (spanS / Math.max(DAY_S, set.everyS()));
        if (days < LEAST_DAYS) {
            return unknown(String.format(
                    Locale.ROOT,
                    "the trace spans %s, and growth shows over %d whole days at least",
                    span(spanS),
                    LEAST_DAYS));
        }
        double[] peaks = new double[days];
        for (WorkingSet.Point p : set.points()) {
            int day = (int) (p.atS() / Math.max(DAY_S, set.everyS()));
            if (day < days) {
                peaks[day] = Math.max(peaks[day], p.tokens());
            }
        }
        double perDay = DAY_S / Math.max(DAY_S, set.everyS());
        double slope = slope(peaks) * perDay;
        // With three peaks one degree of freedom is left: two standard errors would call a rise what chance gives one
        // time in seven.
        double error = StudentT.quantile(days - 2) * error(peaks) * perDay;
        if (slope <= 0 || slope < error) {
            return unknown(String.format(
                    Locale.ROOT,
                    "the working set's daily peaks over %d days change by %+.0f tokens a day, give or take %.0f: no growth to go by",
                    days,
                    slope,
                    error));
        }
        return new Growth(
                OptionalDouble.of(slope),
                String.format(
                        Locale.ROOT,
                        "the working set's daily peaks over %d days grow by %.0f tokens a day, give or take %.0f",
                        days,
                        slope,
                        error));
    }

    /** Days until so many tokens are used up. */
    OptionalDouble daysFor(double headroomTokens) {
        return tokensPerDay.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, headroomTokens) / tokensPerDay.getAsDouble());
    }

    private static String span(double seconds) {
        if (seconds < HOUR_S) {
            long minutes = Math.round(seconds / 60);
            return minutes + (minutes == 1 ? " minute" : " minutes");
        }
        return seconds < DAY_S
                ? String.format(Locale.ROOT, "%.1f hours", seconds / HOUR_S)
                : String.format(Locale.ROOT, "%.1f days", seconds / DAY_S);
    }

    private static double slope(double[] y) {
        double middle = (y.length - 1) / 2.0;
        double above = 0;
        double below = 0;
        for (int i = 0; i < y.length; i++) {
            above += (i - middle) * y[i];
            below += (i - middle) * (i - middle);
        }
        return above / below;
    }

    /** Standard error of the slope. */
    private static double error(double[] y) {
        double middle = (y.length - 1) / 2.0;
        double slope = slope(y);
        double mean = 0;
        for (double v : y) {
            mean += v / y.length;
        }
        double residuals = 0;
        double below = 0;
        for (int i = 0; i < y.length; i++) {
            double off = y[i] - mean - slope * (i - middle);
            residuals += off * off;
            below += (i - middle) * (i - middle);
        }
        return Math.sqrt(residuals / (y.length - 2) / below);
    }
}
