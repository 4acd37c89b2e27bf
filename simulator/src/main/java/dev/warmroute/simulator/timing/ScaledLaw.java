package dev.warmroute.simulator.timing;

/**
 * A law by which every step takes {@code factor} times as long as by another, rounded half up to nanoseconds.
 *
 * @param factor above 0
 */
record ScaledLaw(StepTimeLaw law, double factor) implements StepTimeLaw {
    ScaledLaw {
        if (!(factor > 0 && Double.isFinite(factor))) {
            throw new IllegalArgumentException("a step cannot take " + factor + " times as long");
        }
    }

    @Override
    public long stepNanos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens) {
        return Math.round(law.stepNanos(prefillTokens, prefillAttention, decodeSequences, kvTokens) * factor);
    }

    @Override
    public boolean affineInContext() {
        return false;
    }
}
