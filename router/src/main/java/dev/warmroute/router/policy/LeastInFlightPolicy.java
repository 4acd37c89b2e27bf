package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/** argmin over eligible replicas of the requests in flight; the lowest index on ties. */
final class LeastInFlightPolicy implements RoutingPolicy {
    private final PolicySpec spec;

    LeastInFlightPolicy(PolicyParameters parameters) {
        spec = parameters.spec(1);
    }

    @Override
    public PolicySpec spec() {
        return spec;
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        int r = fleet.leastInFlight();
        return r == FleetView.NONE ? Placement.nowhere(fleet.home()) : Placement.balanced(r);
    }
}
