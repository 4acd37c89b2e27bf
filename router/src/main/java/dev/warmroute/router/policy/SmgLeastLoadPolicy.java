package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * SGLang gateway's {@code least_load}:
 *
 * <pre>score(r) = (queued uncached tokens + uncached tokens sent since the reading) / throughput + kv_weight * k / (1 - k)</pre>
 *
 * <p>with k the KV usage, at most .999; the least, the lowest index on ties. vLLM does not report queued tokens: every waiting
 * request counts as {@code unknown_tokens}. A replica without a reading scores
 * {@code in_flight * unknown_tokens / throughput}; when none has one, the fewest in flight decide.
 */
final class SmgLeastLoadPolicy extends RulePolicy {
    private static final Needs NEEDS = Needs.of(Input.SIGNALS, Input.SENT_TOKENS, Input.PREDICTED_CACHE);
    private static final double FULLEST = 0.999;

    private final double throughput;
    private final int unknownTokens;
    private final double kvWeight;

    SmgLeastLoadPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        throughput = parameters.number("throughput", 1, 2000, "tokens that a replica computes in a second");
        unknownTokens = parameters.count("unknown_tokens", 0, 1024, "tokens of a request whose size nobody knows");
        kvWeight = parameters.number("kv_weight", 0, 0.15, "seconds that a half full KV cache weighs");
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        if (Scores.among(fleet, r -> r.signals().known(), r -> 0).none()) {
            return Placement.balanced(fleet.leastInFlight());
        }
        Scores scores = Scores.of(fleet, this::score);
        return Placement.balanced(scores.least()).withScores(scores.values());
    }

    private double score(ReplicaView r) {
        if (!r.signals().known()) {
            return (double) r.inFlight() * unknownTokens / throughput;
        }
        double k = Math.clamp(r.signals().kvUsage(), 0, FULLEST);
        double tokens = r.signals().waiting() * unknownTokens + r.input(Input.SENT_TOKENS);
        return tokens / throughput + kvWeight * k / (1 - k);
    }
}
