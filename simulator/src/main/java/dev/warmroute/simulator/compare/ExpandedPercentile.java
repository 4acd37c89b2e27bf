package dev.warmroute.simulator.compare;

import java.util.Arrays;
import java.util.Optional;

/** The 95 % interval of a figure from its bootstrap replicates: percentiles, stretched for few units; see {@link StudentT}. */
public final class ExpandedPercentile {
    private static final double LOW = 0.025;
    private static final double HIGH = 0.975;

    private ExpandedPercentile() {}

    /**
     * The interval.
     *
     * @param replicates what the figure would be with other units; those that are not a number do not count
     * @param at the figure; the interval contains it
     * @param units that the figure rests on
     * @return empty where there is no figure, or fewer than two units of it to resample
     */
    public static Optional<Interval> of(double[] replicates, double at, int units) {
        double[] known =
                Arrays.stream(replicates).filter(v -> !Double.isNaN(v)).sorted().toArray();
        if (Double.isNaN(at) || units < 2 || known.length < 2) {
            return Optional.empty();
        }
        double stretch = StudentT.stretch(units);
        double low = quantile(known, LOW);
        double high = quantile(known, HIGH);
        return Optional.of(
                new Interval(Math.min(at, at + stretch * (low - at)), Math.max(at, at + stretch * (high - at))));
    }

    private static double quantile(double[] sorted, double q) {
        double position = q * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
