package dev.warmroute.simulator.timing;

/**
 * How long one engine step takes, from what is in it. A law is pure and immutable: the same composition always takes the
 * same number of nanoseconds, on any machine.
 *
 * <p>A step's composition is four numbers:
 * <ul>
 *   <li><b>prefill tokens</b>: prompt tokens computed in the step, over all requests that are still reading their prompt
 *       (or recomputing after a preemption). Tokens found in the prefix cache are not computed and do not count;
 *   <li><b>prefill attention</b>: the sum of {@link #chunkAttention} over the same chunks, in token pairs;
 *   <li><b>decode sequences</b>: requests that generate a token in the step;
 *   <li><b>KV tokens</b>: the sum, over the decoding sequences, of the context each of them reads: the tokens whose KV is
 *       in the cache when the step starts.
 * </ul>
 *
 * <p>In a run of pure decode steps every sequence's context grows by one token a step, so the KV tokens of step {@code i}
 * (from 0) are {@code kvTokensFirst + i * sequences}. {@link #decodeRunNanos} is the sum of such steps and
 * {@link #decodeStepsWithin} its inverse; both agree with single steps to the nanosecond.
 */
public interface StepTimeLaw {

    /**
     * Returns the duration of one step in nanoseconds, never negative. All arguments are at least 0; what an empty step
     * takes is up to the law.
     *
     * @param prefillTokens prompt tokens computed
     * @param prefillAttention token pairs of those chunks, see {@link #chunkAttention}
     * @param decodeSequences sequences that generate one token
     * @param kvTokens sum of the contexts of the decoding sequences, in tokens
     */
    long stepNanos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens);

    /**
     * Says whether a pure decode step is an affine function of the KV tokens. If so, {@link #decodeRunNanos} and
     * {@link #decodeStepsWithin} cost the same for any number of steps; if not, they take every step in turn.
     */
    boolean affineInContext();

    /**
     * Returns the duration in nanoseconds of consecutive pure decode steps: exactly the sum of
     * {@code stepNanos(0, 0, sequences, kvTokensFirst + i * sequences)} for {@code i} from 0 to {@code steps - 1}.
     */
    default long decodeRunNanos(int sequences, long kvTokensFirst, long steps) {
        long nanos = 0;
        for (long i = 0; i < steps; i++) {
            nanos += stepNanos(0, 0, sequences, kvTokensFirst + i * sequences);
        }
        return nanos;
    }

    /**
     * Returns how many whole pure decode steps fit: the largest number of steps, at most {@code maxSteps}, whose
     * {@link #decodeRunNanos} is at most {@code nanos}. A negative {@code nanos} fits none.
     */
    default long decodeStepsWithin(int sequences, long kvTokensFirst, long nanos, long maxSteps) {
        long left = nanos;
        for (long i = 0; i < maxSteps; i++) {
            left -= stepNanos(0, 0, sequences, kvTokensFirst + i * sequences);
            if (left < 0) {
                return i;
            }
        }
        return nanos < 0 ? 0 : maxSteps;
    }

    /** Returns a law by which every step takes so many times longer, rounded to nanoseconds step by step. */
    default StepTimeLaw times(double factor) {
        return factor == 1 ? this : new ScaledLaw(this, factor);
    }

    /**
     * Returns the token pairs of one prefill chunk: each of its tokens attends to the context before the chunk and, on
     * average, to half of the chunk. Exact: a multiple of one half.
     *
     * @param tokens tokens of the chunk
     * @param context tokens of the request whose KV existed before the chunk, cached ones included
     */
    static double chunkAttention(long tokens, long context) {
        return tokens * (context + tokens / 2.0);
    }
}
