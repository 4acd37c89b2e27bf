package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * Soft affinity (agentic-kvc): a conversation stays at home as long as that costs at most {@code max_ratio} times the cheapest
 * replica, with
 *
 * <pre>cost(r) = uncached tokens being computed there + uncached tokens of this prompt, at least 1</pre>
 *
 * <p>that is, the tokens to be computed up to its first byte. Else it moves to the cheapest (then fewest in flight, then lowest
 * index). Requests without a session go to the cheapest, and leave no home.
 */
final class SoftAffinityPolicy extends RulePolicy {
    private static final Needs NEEDS = Needs.of(Input.SESSION, Input.PREDICTED_CACHE, Input.PREFILL_TOKENS);

    private final double maxRatio;

    SoftAffinityPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        maxRatio = parameters.number("max_ratio", 1, 2, "cost of staying against the cheapest replica");
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        Scores costs = Scores.of(
                fleet, r -> Math.max(1, r.input(Input.PREFILL_TOKENS) + r.uncachedTokens(request.promptTokens())));
        int cheapest = costs.least(fleet, ReplicaView::inFlight);
        if (!request.hasSession()) {
            return Placement.balanced(cheapest).withScores(costs.values());
        }
        boolean stay = fleet.hasHome()
                && fleet.replica(fleet.home()).eligible()
                && costs.at(fleet.home()) <= maxRatio * costs.at(cheapest);
        return Placement.withHome(fleet, stay ? fleet.home() : cheapest).withScores(costs.values());
    }
}
