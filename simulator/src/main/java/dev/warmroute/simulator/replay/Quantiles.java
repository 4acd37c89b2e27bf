package dev.warmroute.simulator.replay;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Quantiles of a sample by linear interpolation between order statistics: the q-quantile of n sorted values lies at position
 * {@code q (n - 1)} (type 7 of Hyndman and Fan 1996, what numpy and R compute).
 */
public final class Quantiles {
    private final double[] sorted;

    private Quantiles(double[] sorted) {
        this.sorted = sorted;
    }

    /** Takes the first {@code n} values of an array, which is left as it is. */
    public static Quantiles of(double[] values, int n) {
        double[] sorted = Arrays.copyOf(values, n);
        Arrays.sort(sorted);
        return new Quantiles(sorted);
    }

    public static Quantiles of(double... values) {
        return of(values, values.length);
    }

    /** Returns a quantile, empty for an empty sample. */
    public OptionalDouble at(double q) {
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        double position = q * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return OptionalDouble.of(sorted[below] + (position - below) * (sorted[above] - sorted[below]));
    }

    /** Returns the mean, empty for an empty sample. */
    public OptionalDouble mean() {
        return Arrays.stream(sorted).average();
    }
}
