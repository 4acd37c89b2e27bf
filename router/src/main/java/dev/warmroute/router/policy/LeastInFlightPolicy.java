package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/** argmin over eligible replicas of the requests in flight; the lowest index on ties. */
final class LeastInFlightPolicy extends RulePolicy {
    LeastInFlightPolicy(PolicyParameters parameters) {
        super(parameters, 1);
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        return Placement.balanced(fleet.leastInFlight());
    }
}
