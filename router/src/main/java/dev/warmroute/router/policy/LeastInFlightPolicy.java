package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/** argmin over eligible replicas of the requests in flight; the lowest index on ties. */
final class LeastInFlightPolicy implements RoutingPolicy {
    private static final PolicySpec SPEC = PolicySpec.of("least_in_flight", 1);

    LeastInFlightPolicy(PolicyParameters parameters) {}

    @Override
    public PolicySpec spec() {
        return SPEC;
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        int r = fleet.leastInFlight();
        return r == FleetView.NONE ? Placement.nowhere(fleet.home()) : Placement.balanced(r);
    }
}
