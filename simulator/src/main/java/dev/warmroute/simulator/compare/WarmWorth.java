package dev.warmroute.simulator.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What warm prompts are worth to a fleet.
 *
 * @param prompts in the order in which replicas begin them
 * @param cacheSharePct share of a replica's cache that all of them take; empty when it has no limit
 * @param policies what each policy makes of them
 */
public record WarmWorth(List<Prompt> prompts, OptionalDouble cacheSharePct, List<OfPolicy> policies) {
    public WarmWorth {
        prompts = List.copyOf(prompts);
        policies = List.copyOf(policies);
    }

    /** @param firstTurns first turns of the trace that begin with it; of a workload, its sessions */
    public record Prompt(String name, int tokens, int firstTurns) {}

    /**
     * One policy.
     *
     * @param steps without warm prompts, with the first, with the first two, and so on; beyond eight not every number
     * @param pays how many of the prompts pay for themselves: of the numbers that were tried the one with the most saved over
     *     computed tokens, the largest of several
     */
    public record OfPolicy(String policy, List<Step> steps, int pays) {
        public OfPolicy {
            steps = List.copyOf(steps);
        }
    }

    /**
     * The fleet with so many of the prompts, means over the seeds; requests are compared one by one with those without prompts.
     *
     * @param prompts how many
     * @param firstTurns first turns that were answered, of which the times to first token are
     * @param savedTokens prompt tokens that clients' requests found cached, more than without prompts
     * @param displacedTokens those that requests no longer found, because the prompts took the room or everything came at other
     *     times; already taken off {@code savedTokens}
     * @param computedTokens prompt tokens that replicas computed beforehand, after restarts as well
     * @param reusableTokens of these, those in whole blocks, which alone can be found again
     * @param keptTokens tokens of the prompts that were cached on the replicas at the end
     * @param netTokens saved less reusable ones: at 0 the work is the same and only earlier, below it is more, above it is less
     * @param netInterval over the seeds; empty where there is one
     * @param warmS when the last replica had computed them, at the start or after its last restart
     * @param firstTtftSavedS mean time to first token of first turns, less than without prompts
     * @param waitSavedS sum over all requests of the times to first token, less than without prompts
     */
    public record Step(
            int prompts,
            double firstTurns,
            @JsonProperty("first_ttft_mean_s") OptionalDouble firstTtftMeanS,
            @JsonProperty("first_ttft_p50_s") OptionalDouble firstTtftP50S,
            @JsonProperty("first_ttft_p95_s") OptionalDouble firstTtftP95S,
            double hitPct,
            double savedTokens,
            double displacedTokens,
            double computedTokens,
            double reusableTokens,
            double keptTokens,
            double netTokens,
            Optional<Interval> netInterval,
            double warmS,
            @JsonProperty("first_ttft_saved_s") OptionalDouble firstTtftSavedS,
            Optional<Interval> firstTtftSavedInterval,
            double waitSavedS) {}
}
