package dev.warmroute.router.figures;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Sums over a sliding window, in buckets of equal length; some values in each. Not thread-safe. */
final class Buckets {
    private static final long NEVER = Long.MIN_VALUE;

    private final long bucketUs;
    private final int values;
    private final long[] number;
    private final long[] sums;

    /**
     * @param seconds length of a bucket
     * @param buckets how many make the window
     * @param values values that are kept in each
     */
    Buckets(int seconds, int buckets, int values) {
        this.bucketUs = TimeUnit.SECONDS.toMicros(seconds);
        this.values = values;
        this.number = new long[buckets];
        this.sums = new long[buckets * values];
        Arrays.fill(number, NEVER);
    }

    long bucketMicros() {
        return bucketUs;
    }

    int size() {
        return number.length;
    }

    /** Number of the bucket that a moment is in; numbers grow with time and never repeat. */
    long bucket(long atUs) {
        return Math.floorDiv(atUs, bucketUs);
    }

    /** Adds to a value at a moment; what is older than the window is dropped. */
    void add(long atUs, int value, long amount) {
        long bucket = bucket(atUs);
        int slot = slot(bucket);
        if (number[slot] < bucket) {
            number[slot] = bucket;
            Arrays.fill(sums, slot * values, (slot + 1) * values, 0);
        }
        if (number[slot] == bucket) {
            sums[slot * values + value] += amount;
        }
    }

    /** Sum of a value in one bucket. */
    long in(long bucket, int value) {
        int slot = slot(bucket);
        return number[slot] == bucket ? sums[slot * values + value] : 0;
    }

    /** Sum of a value over the last {@code count} buckets up to that of {@code nowUs}. */
    long last(int count, int value, long nowUs) {
        long sum = 0;
        long newest = bucket(nowUs);
        for (long b = newest - count + 1; b <= newest; b++) {
            sum += in(b, value);
        }
        return sum;
    }

    private int slot(long bucket) {
        return (int) Math.floorMod(bucket, (long) number.length);
    }
}
