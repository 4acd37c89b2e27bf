package dev.warmroute.simulator.engine;

/**
 * A step-time law: how long the model takes for one batch.
 *
 * <p>A law must depend on nothing but its arguments: the engine prices the same step again when an arrival cuts a stretch
 * of steps short, and single-stepped and fast-forwarded runs must agree to the nanosecond.
 */
@FunctionalInterface
public interface StepTimer {
    /**
     * Returns the time of a step in nanoseconds, at least 1.
     *
     * @param prefillSeqs requests in the batch that compute prompt tokens (or recompute after a preemption)
     * @param prefillTokens tokens they compute
     * @param prefillPairs pairs of a computed token and a token it attends to: the sum of n*c + n*(n+1)/2 over chunks of
     *     n tokens that follow c tokens of context
     * @param decodeSeqs requests in the batch that compute their newest token only
     * @param decodeContext tokens those attend to, themselves included: the sum of their context lengths
     */
    long nanos(int prefillSeqs, int prefillTokens, long prefillPairs, int decodeSeqs, long decodeContext);
}
