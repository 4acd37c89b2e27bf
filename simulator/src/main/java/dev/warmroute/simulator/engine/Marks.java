package dev.warmroute.simulator.engine;

import java.util.Arrays;

/** A set of small non-negative ints, one bit each. */
final class Marks {
    private long[] words = new long[64];

    boolean has(int key) {
        int word = key >>> 6;
        return word < words.length && (words[word] & 1L << key) != 0;
    }

    void set(int key) {
        int word = key >>> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(words.length * 2, word + 1));
        }
        words[word] |= 1L << key;
    }

    void clear(int key) {
        words[key >>> 6] &= ~(1L << key);
    }

    void clearAll() {
        Arrays.fill(words, 0);
    }

    /**
     * Number of keys from {@code from} on, at most {@code most}, before one that is set; {@code from} itself counts as
     * not set.
     */
    int gap(int from, int most) {
        int key = from + 1;
        int end = from + most;
        while (key < end) {
            int word = key >>> 6;
            if (word >= words.length) {
                return most;
            }
            long set = words[word] >>> key;
            if (set != 0) {
                return Math.min(most, key + Long.numberOfTrailingZeros(set) - from);
            }
            key = (word + 1) << 6;
        }
        return most;
    }
}
