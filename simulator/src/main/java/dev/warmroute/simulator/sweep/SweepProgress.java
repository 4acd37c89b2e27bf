package dev.warmroute.simulator.sweep;

import java.util.Locale;

/**
 * How far a sweep is.
 *
 * @param done scenarios with a result
 * @param computed those of this run
 * @param seconds since this run began
 * @param perSecond pace since the first result; 0 when there is no second yet
 */
public record SweepProgress(int done, int all, int computed, double seconds, double perSecond) {

    /** One line for a person, with the time that the rest will take at this pace. */
    public String line() {
        String line = String.format(Locale.ROOT, "%,d of %,d scenarios", done, all);
        return perSecond > 0
                ? String.format(Locale.ROOT, "%s, %.1f/s, %s to go", line, perSecond, rest((all - done) / perSecond))
                : line;
    }

    private static String rest(double seconds) {
        long whole = (long) Math.ceil(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole % 3600 / 60);
    }
}
