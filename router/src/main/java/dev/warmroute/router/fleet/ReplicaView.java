package dev.warmroute.router.fleet;

import java.util.Map;

/**
 * One replica as a policy sees it.
 *
 * @param eligible whether it may be chosen
 * @param reason why not; empty when it may
 * @param inFlight requests this router has sent there that have not ended
 * @param liveSessions conversations at home there that spoke recently
 * @param predictedCachedTokens prompt tokens believed to be cached there; -1 when nobody predicts
 * @param inputs further values by {@link Input#wireName}, those that the policy declared
 */
public record ReplicaView(
        String id,
        boolean eligible,
        String reason,
        int inFlight,
        int liveSessions,
        Signals signals,
        int predictedCachedTokens,
        Map<String, Double> inputs) {

    /** Whether an input that may be absent is there. */
    public boolean has(Input input) {
        return inputs.containsKey(input.wireName());
    }

    /**
     * Value of an input.
     *
     * @throws IllegalStateException if it is not there: the policy did not declare it, or did not ask with {@link #has}
     */
    public double input(Input input) {
        return value(inputs, input);
    }

    /** Prompt tokens believed to be cached there; 0 when nobody predicts. */
    public int cachedTokens() {
        return Math.max(0, predictedCachedTokens);
    }

    /** Prompt tokens that would have to be computed there. */
    public long uncachedTokens(long promptTokens) {
        return Math.max(0, promptTokens - cachedTokens());
    }

    static double value(Map<String, Double> inputs, Input input) {
        Double value = inputs.get(input.wireName());
        if (value == null) {
            throw new IllegalStateException("the view has no " + input.wireName());
        }
        return value;
    }
}
