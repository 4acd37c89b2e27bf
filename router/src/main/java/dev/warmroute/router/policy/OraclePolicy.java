package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * What could be had by knowing the replicas' true caches: the least of
 *
 * <pre>score(r) = uncached tokens being computed there + tokens of this prompt that are not cached there</pre>
 *
 * <p>then fewest in flight, then lowest index. Only a simulation can tell it the true cache; live it decides by the prediction.
 * Greedy: it looks at this request alone.
 */
final class OraclePolicy extends RulePolicy {
    private static final Needs NEEDS = Needs.of(Input.TRUE_CACHE, Input.PREFILL_TOKENS);

    OraclePolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        Scores scores = Scores.of(fleet, r -> r.input(Input.PREFILL_TOKENS) + r.uncachedTokens(request.promptTokens()));
        return Placement.balanced(scores.least(fleet, ReplicaView::inFlight)).withScores(scores.values());
    }
}
