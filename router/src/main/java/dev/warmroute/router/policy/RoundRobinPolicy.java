package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/** Decision i of a model goes to replica i mod n, or to the next eligible one after it. */
final class RoundRobinPolicy implements RoutingPolicy {
    private static final Needs NEEDS = Needs.of(Input.CURSOR);

    private final PolicySpec spec;

    RoundRobinPolicy(PolicyParameters parameters) {
        spec = parameters.spec(1);
    }

    @Override
    public PolicySpec spec() {
        return spec;
    }

    @Override
    public Needs needs() {
        return NEEDS;
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        long cursor = (long) fleet.input(Input.CURSOR);
        for (int i = 0; i < fleet.size(); i++) {
            int r = (int) ((cursor + i) % fleet.size());
            if (fleet.replica(r).eligible()) {
                return Placement.balanced(r);
            }
        }
        return Placement.nowhere(fleet.home());
    }
}
