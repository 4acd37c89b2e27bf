package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import java.util.Locale;

/**
 * What the sessions ask of the cache. All sizes in tokens.
 *
 * @param sessions sessions at the same time
 * @param sharedTokens prefix that all of them share, part of every context
 * @param contextMeanTokens mean prompt of a turn
 * @param contextP95Tokens 95th percentile of the prompts
 * @param outputMeanTokens mean answer, which needs room while it is generated
 * @param outputP95Tokens 95th percentile of the answers
 */
public record Demand(
        int sessions,
        long sharedTokens,
        double contextMeanTokens,
        double contextP95Tokens,
        double outputMeanTokens,
        double outputP95Tokens) {
    /** More at the same time are a slip, and would not fit in memory to be simulated. */
    static final int MOST_SESSIONS = 1_000_000;

    /** The longest request that an engine may be set to take. */
    private static final int MOST_TOKENS = EngineConfig.MOST_MODEL_LEN;

    public Demand {
        require(
                sessions >= 0 && sessions <= MOST_SESSIONS,
                "sessions must be 0 to " + MOST_SESSIONS + ", not " + sessions);
        require(sharedTokens >= 0, "the shared prefix must not be negative: " + sharedTokens);
        require(contextMeanTokens >= 1, "the context must be at least 1 token: " + contextMeanTokens);
        require(
                contextP95Tokens >= contextMeanTokens,
                "the 95th percentile of the contexts (" + contextP95Tokens + ") is below their mean ("
                        + contextMeanTokens + ")");
        require(
                sharedTokens <= contextMeanTokens,
                "the shared prefix (" + sharedTokens + " tokens) is longer than the context (" + contextMeanTokens
                        + ")");
        require(
                outputMeanTokens >= 0 && outputP95Tokens >= outputMeanTokens,
                "output tokens: mean " + outputMeanTokens + ", 95th percentile " + outputP95Tokens);
        require(
                contextP95Tokens <= MOST_TOKENS && outputP95Tokens <= MOST_TOKENS,
                String.format(
                        Locale.ROOT,
                        "a context or an output has at most %d tokens, not %.0f",
                        MOST_TOKENS,
                        Math.max(contextP95Tokens, outputP95Tokens)));
    }

    /** Sessions that all have the same context, output included. */
    public static Demand uniform(int sessions, double contextTokens, long sharedTokens) {
        return new Demand(sessions, sharedTokens, contextTokens, contextTokens, 0, 0);
    }

    public Demand withSessions(int sessions) {
        return new Demand(
                sessions, sharedTokens, contextMeanTokens, contextP95Tokens, outputMeanTokens, outputP95Tokens);
    }

    /**
     * The same sessions with contexts cut behind the shared prefix.
     *
     * @param pct length of what is left, in percent
     */
    Demand shortened(int pct) {
        double mean = sharedTokens + (contextMeanTokens - sharedTokens) * pct / 100;
        return new Demand(
                sessions,
                sharedTokens,
                mean,
                Math.max(mean, sharedTokens + (contextP95Tokens - sharedTokens) * pct / 100),
                outputMeanTokens,
                outputP95Tokens);
    }

    private static void require(boolean ok, String message) {
        if (!ok) {
            throw new UserError(message);
        }
    }
}
