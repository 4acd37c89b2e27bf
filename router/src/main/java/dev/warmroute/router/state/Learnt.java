package dev.warmroute.router.state;

import java.util.Arrays;

/** What a model's traffic has taught: how fast prompts are computed, how long answers are. */
final class Learnt {
    private static final int SAMPLES = 64;
    private static final int ENOUGH = 8;
    private static final double NANOS = 1e9;

    private final double[] rates = new double[SAMPLES];
    private int observed;
    private long answers;
    private long outputTokens;

    /** A request's first byte came so long after it was sent. */
    void firstByte(long uncachedTokens, long nanos) {
        if (uncachedTokens > 0 && nanos > 0) {
            rates[observed++ % SAMPLES] = uncachedTokens * NANOS / nanos;
        }
    }

    void answered(long tokens) {
        answers++;
        outputTokens += tokens;
    }

    boolean knowsPrefillRate() {
        return observed >= ENOUGH;
    }

    /** 90th percentile of the last observations by nearest rank, in tokens per second. */
    double prefillRate() {
        double[] sorted = Arrays.copyOf(rates, Math.min(observed, SAMPLES));
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(0.9 * sorted.length) - 1];
    }

    boolean knowsOutput() {
        return answers > 0;
    }

    /** Mean tokens of an answer. */
    double meanOutput() {
        return (double) outputTokens / answers;
    }
}
