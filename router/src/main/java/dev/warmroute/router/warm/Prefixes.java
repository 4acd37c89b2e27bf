package dev.warmroute.router.warm;

import java.util.Arrays;
import java.util.List;

/** What token sequences have in common at their begin. */
final class Prefixes {
    private static final long[] NOTHING = {};

    private Prefixes() {}

    /**
     * The tokens that all renderings of a prompt begin with, each with something else said by the user: what every request with
     * this prompt begins with. Empty when they do not differ, since then the template does not show what the user says.
     */
    static long[] common(List<long[]> renderings) {
        long[] first = renderings.get(0);
        int length = first.length;
        boolean differ = false;
        for (long[] other : renderings) {
            int mismatch = Arrays.mismatch(first, other);
            differ |= mismatch >= 0;
            length = mismatch < 0 ? length : Math.min(length, mismatch);
        }
        return differ ? Arrays.copyOf(first, length) : NOTHING;
    }

    /** Tokens that all these take in a cache in which equal beginnings are kept once. */
    static long distinctTokens(List<long[]> prompts) {
        long[][] sorted = prompts.toArray(long[][]::new);
        Arrays.sort(sorted, Arrays::compare);
        long tokens = 0;
        long[] before = NOTHING;
        for (long[] prompt : sorted) {
            int mismatch = Arrays.mismatch(before, prompt);
            tokens += mismatch < 0 ? 0 : prompt.length - mismatch;
            before = prompt;
        }
        return tokens;
    }
}
