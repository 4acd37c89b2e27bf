package dev.warmroute.simulator.capacity;

import java.util.function.IntPredicate;

/**
 * The most sessions that keep the cache, as far as was looked.
 *
 * @param sessions the largest number seen to keep it; 0 if not even one does
 * @param orMore whether no number above was seen to lose it
 */
record MostKept(int sessions, boolean orMore) {
    /** The search ends where the answer is known to one part in so many. */
    private static final int RESOLUTION = 16;

    /**
     * Searches from a guess up or down in thirds, then by bisection.
     *
     * @param guess where to begin
     * @param most the largest number to look at, at least 1
     * @param keeps whether so many keep the cache; taken to be true up to some number and false beyond
     */
    static MostKept search(int guess, int most, IntPredicate keeps) {
        int low = 0; // keeps
        int high = most + 1; // does not, or was not looked at
        int next = Math.clamp(guess, 1, most);
        while (high - low > resolution(low) || high > most) {
            boolean kept = keeps.test(next);
            if (kept) {
                low = next;
            } else {
                high = next;
            }
            if (low >= most || high <= 1) {
                break;
            }
            int step = Math.max(1, next / 3);
            boolean bracketed = low > 0 && high <= most;
            next = bracketed ? (low + high) / 2 : kept ? Math.min(most, next + step) : Math.max(1, next - step);
        }
        return new MostKept(low, high > most);
    }

    /** Whether the search cannot tell two of its results apart. */
    static boolean same(int more, int fewer) {
        return more - fewer < resolution(fewer);
    }

    private static int resolution(int sessions) {
        return Math.max(1, sessions / RESOLUTION);
    }
}
