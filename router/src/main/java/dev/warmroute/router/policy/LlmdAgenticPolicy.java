package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * llm-d's guide for agents: a filter, then a scorer. With {@code ttft(r) = prompt tokens in flight / tokens_per_second}:
 *
 * <pre>
 * keep the replicas that hold at least affinity of the prompt, if there are any,
 *   unless the best of them would answer more than max_wait_seconds later than the best of the others
 * score(r) = 1 - min(1, prompt tokens in flight / 4,194,304); the largest, one of those that tie drawn at random
 * </pre>
 */
final class LlmdAgenticPolicy extends RulePolicy {
    private static final double MAX_TOKENS = 4_194_304;

    private final double affinity;
    private final double maxWaitSeconds;
    private final double tokensPerSecond;
    private final Needs needs;

    LlmdAgenticPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        affinity = parameters.number("affinity", 0, 0.8, "part of the prompt that makes a replica the prompt's own");
        maxWaitSeconds =
                parameters.number("max_wait_seconds", 0, 18, "longest extra wait for the sake of the cache, s");
        tokensPerSecond =
                parameters.number("tokens_per_second", 1, 15_928, "prompt tokens that a replica computes in a second");
        needs = Needs.of(Input.PREDICTED_CACHE, Input.PROMPT_TOKENS).indexing(index(parameters));
    }

    /** llm-d's index of prefixes: 31,250 blocks of 64 tokens for a replica. */
    static Needs.Prefixes index(PolicyParameters parameters) {
        int tokens =
                parameters.count("index_tokens", 64, 2_000_000, "prompt tokens that the index holds for a replica");
        return new Needs.Prefixes(tokens, Long.MAX_VALUE, 256);
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        double enough = affinity * Math.max(1, request.promptTokens());
        Scores own = Scores.among(fleet, r -> r.cachedTokens() >= enough, this::ttft);
        Scores others = Scores.among(fleet, r -> r.cachedTokens() < enough, this::ttft);
        boolean follow =
                !own.none() && (others.none() || own.at(own.least()) - others.at(others.least()) <= maxWaitSeconds);
        Scores scores = Scores.among(
                fleet,
                r -> !follow || r.cachedTokens() >= enough,
                r -> 1 - Math.min(1, r.input(Input.PROMPT_TOKENS) / MAX_TOKENS));
        Scores.Drawn drawn = scores.mostDrawn(request.seed());
        return Placement.balanced(drawn.replica())
                .withPropensity(drawn.propensity())
                .withScores(scores.values());
    }

    private double ttft(ReplicaView r) {
        return r.input(Input.PROMPT_TOKENS) / tokensPerSecond;
    }
}
