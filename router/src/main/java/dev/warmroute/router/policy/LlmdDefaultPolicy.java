package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * llm-d's default profile: the largest weighted sum of three scorers from 0 to 1, one of those that tie drawn at random.
 *
 * <pre>
 * queue(r)  = (max waiting - waiting(r)) / (max - min), 1 when all are equal
 * kv(r)     = 1 - kv_usage(r)
 * prefix(r) = length_weight * min(1, cached / 8192)^2 + (1 - length_weight) * cached / prompt
 * </pre>
 *
 * <p>A replica not read yet counts as empty. The index of prefixes holds {@code index_tokens} for a replica (31,250 blocks of 64
 * in llm-d).
 */
final class LlmdDefaultPolicy extends RulePolicy {
    private static final double LONG_PREFIX = 8192;

    private final double queueWeight;
    private final double kvWeight;
    private final double prefixWeight;
    private final double lengthWeight;
    private final Needs needs;

    LlmdDefaultPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        queueWeight = parameters.number("queue_weight", 0, 2, "weight of the queue scorer");
        kvWeight = parameters.number("kv_weight", 0, 2, "weight of the KV usage scorer");
        prefixWeight = parameters.number("prefix_weight", 0, 3, "weight of the prefix scorer");
        lengthWeight = parameters.number(
                "length_weight", 0, 0, "part of the prefix score that the match's length makes, up to 1");
        needs = Needs.of(Input.SIGNALS, Input.PREDICTED_CACHE).indexing(LlmdAgenticPolicy.index(parameters));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        Scores waiting = Scores.of(fleet, r -> r.signals().waiting());
        double most = waiting.at(waiting.most());
        double span = most - waiting.at(waiting.least());
        Scores scores = Scores.of(fleet, r -> {
            double queue = span == 0 ? 1 : (most - r.signals().waiting()) / span;
            return queueWeight * queue + kvWeight * (1 - r.signals().kvUsage()) + prefixWeight * prefix(request, r);
        });
        Scores.Drawn drawn = scores.mostDrawn(request.seed());
        return Placement.balanced(drawn.replica())
                .withPropensity(drawn.propensity())
                .withScores(scores.values());
    }

    private double prefix(RoutingRequest request, ReplicaView r) {
        double length = Math.min(1, r.cachedTokens() / LONG_PREFIX);
        return lengthWeight * length * length
                + (1 - lengthWeight) * r.cachedTokens() / Math.max(1, request.promptTokens());
    }
}
