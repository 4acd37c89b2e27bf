package dev.warmroute.simulator.replica;

import java.util.stream.IntStream;

/** A Prometheus histogram: counts of values up to each bound, their sum and number. Not safe for several threads. */
final class BucketHistogram {
    private final double[] bounds;
    private final long[] counts;
    private double sum;
    private long total;

    /** @param bounds upper bounds, ascending; the infinite one is added */
    BucketHistogram(double... bounds) {
        this.bounds = bounds;
        this.counts = new long[bounds.length + 1];
    }

    /** Bounds 1, 2, 5, 10, 20, 50, ... up to a maximum. */
    static BucketHistogram oneTwoFive(long max) {
        return new BucketHistogram(IntStream.range(0, 54)
                .mapToDouble(i -> new int[] {1, 2, 5}[i % 3] * Math.pow(10, i / 3))
                .filter(bound -> bound <= max)
                .toArray());
    }

    void observe(double value) {
        observe(value, 1);
    }

    /** Observes the same value several times. */
    void observe(double value, int times) {
        int i = 0;
        while (i < bounds.length && value > bounds[i]) {
            i++;
        }
        counts[i] += times;
        sum += value * times;
        total += times;
    }

    int buckets() {
        return counts.length;
    }

    /** Upper bound of a bucket; the last is infinite. */
    double bound(int bucket) {
        return bucket < bounds.length ? bounds[bucket] : Double.POSITIVE_INFINITY;
    }

    /** Values in a bucket alone. */
    long count(int bucket) {
        return counts[bucket];
    }

    double sum() {
        return sum;
    }

    long total() {
        return total;
    }
}
