package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.UserError;
import java.util.List;

/**
 * Prompts that each replica computes when it starts, and again whenever it has started again: one-token requests that no client
 * waits for, beside those of clients.
 *
 * @param prompts in the order in which they are begun; one that a replica cannot hold is passed over
 * @param concurrency how many of them a replica has at a time
 */
public record WarmStart(List<Prompt> prompts, int concurrency) {
    /** The router's default of {@code warm_prompts.concurrency}. */
    public static final int DEFAULT_CONCURRENCY = 2;

    /** A replica starts cold. */
    public static final WarmStart NONE = new WarmStart(List.of(), DEFAULT_CONCURRENCY);

    public WarmStart {
        prompts = List.copyOf(prompts);
        if (concurrency < 1) {
            throw new UserError("warm prompts are computed one at a time or more, not " + concurrency);
        }
    }

    public static WarmStart of(List<Prompt> prompts) {
        return new WarmStart(prompts, DEFAULT_CONCURRENCY);
    }

    /** The first prompts alone. */
    public WarmStart first(int n) {
        return new WarmStart(prompts.subList(0, n), concurrency);
    }

    /**
     * What it took, over all replicas and starts.
     *
     * @param prompts computed
     * @param skipped longer than a replica can hold
     * @param computedTokens prompt tokens computed
     * @param reusableTokens of these, those in whole blocks: no others can be found again
     * @param lastNanos when the last of them was done; 0 without any
     * @param keptTokens tokens of the prompts that were cached when the replay ended
     */
    public record Cost(
            int prompts, int skipped, long computedTokens, long reusableTokens, long lastNanos, long keptTokens) {
        public static final Cost NONE = new Cost(0, 0, 0, 0, 0, 0);

        Cost plus(Cost other) {
            return new Cost(
                    prompts + other.prompts,
                    skipped + other.skipped,
                    computedTokens + other.computedTokens,
                    reusableTokens + other.reusableTokens,
                    Math.max(lastNanos, other.lastNanos),
                    keptTokens + other.keptTokens);
        }
    }
}
