package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/** Decision i of a model goes to replica i mod n, or to the next eligible one after it. */
final class RoundRobinPolicy implements RoutingPolicy {
    private static final PolicySpec SPEC = PolicySpec.of("round_robin", 1);

    RoundRobinPolicy(PolicyParameters parameters) {}

    @Override
    public PolicySpec spec() {
        return SPEC;
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        long cursor = (long) fleet.input(FleetView.CURSOR);
        for (int i = 0; i < fleet.size(); i++) {
            int r = (int) ((cursor + i) % fleet.size());
            if (fleet.replica(r).eligible()) {
                return Placement.balanced(r);
            }
        }
        return Placement.nowhere(fleet.home());
    }
}
