package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/** Decision i of a model goes to replica i mod n, or to the next eligible one after it. */
final class RoundRobinPolicy extends RulePolicy {
    private static final Needs NEEDS = Needs.of(Input.CURSOR);

    RoundRobinPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        long cursor = (long) fleet.input(Input.CURSOR);
        int r = (int) (cursor % fleet.size());
        while (!fleet.replica(r).eligible()) {
            r = (r + 1) % fleet.size();
        }
        return Placement.balanced(r);
    }
}
