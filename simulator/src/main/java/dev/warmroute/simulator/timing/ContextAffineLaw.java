package dev.warmroute.simulator.timing;

/**
 * A law that counts in integer picoseconds and whose decode steps grow linearly with the KV tokens, so that runs of them
 * have a closed form.
 *
 * <p>Rounding: a step's picoseconds are rounded half up to nanoseconds, once per step. A run is the sum of the rounded
 * steps ({@link RoundedRamp}), not the rounded sum.
 */
interface ContextAffineLaw extends StepTimeLaw {

    /** Duration of one step in picoseconds; arguments as in {@link StepTimeLaw#stepNanos}. */
    long stepPicos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens);

    /** What one more KV token adds to a pure decode step, in picoseconds, at least 0. */
    long contextTokenPicos();

    @Override
    default long stepNanos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens) {
        return RoundedRamp.toNanos(stepPicos(prefillTokens, prefillAttention, decodeSequences, kvTokens));
    }

    @Override
    default boolean affineInContext() {
        return true;
    }

    @Override
    default long decodeRunNanos(int sequences, long kvTokensFirst, long steps) {
        return RoundedRamp.sumNanos(stepPicos(0, 0, sequences, kvTokensFirst), contextTokenPicos() * sequences, steps);
    }

    @Override
    default long decodeStepsWithin(int sequences, long kvTokensFirst, long nanos, long maxSteps) {
        return RoundedRamp.stepsWithin(
                stepPicos(0, 0, sequences, kvTokensFirst), contextTokenPicos() * sequences, nanos, maxSteps);
    }
}
