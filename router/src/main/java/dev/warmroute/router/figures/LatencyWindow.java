package dev.warmroute.router.figures;

import java.util.OptionalDouble;

/**
 * Times of the last five minutes, counted in bins that are 5 % apart from 0.1 ms to an hour: a quantile is at most 2.5 % off.
 * Not thread-safe.
 */
final class LatencyWindow {
    private static final int STEP_SECONDS = 10;
    private static final int STEPS = 30;
    private static final double LEAST_SECONDS = 1e-4;
    private static final double GROWTH = Math.log(1.05);
    private static final int BINS = (int) Math.ceil(Math.log(3600 / LEAST_SECONDS) / GROWTH) + 1;

    private final Buckets buckets = new Buckets(STEP_SECONDS, STEPS, BINS);

    void add(long atUs, double seconds) {
        int bin = Math.clamp(
                Math.round(Math.log(Math.max(seconds, LEAST_SECONDS) / LEAST_SECONDS) / GROWTH), 0, BINS - 1);
        buckets.add(atUs, bin, 1);
    }

    /** The time that a part {@code q} of all were within, in seconds; empty when there was none. */
    OptionalDouble quantile(double q, long nowUs) {
        long[] counts = new long[BINS];
        long total = 0;
        for (int bin = 0; bin < BINS; bin++) {
            counts[bin] = buckets.last(STEPS, bin, nowUs);
            total += counts[bin];
        }
        if (total == 0) {
            return OptionalDouble.empty();
        }
        long rank = Math.max(1, (long) Math.ceil(q * total));
        int bin = 0;
        for (long seen = counts[0]; seen < rank; seen += counts[bin]) {
            bin++;
        }
        return OptionalDouble.of(LEAST_SECONDS * Math.exp(bin * GROWTH));
    }
}
