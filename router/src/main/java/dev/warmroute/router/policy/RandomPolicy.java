package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import java.util.SplittableRandom;

/** Each eligible replica with probability 1/n, drawn from the request's seed. */
final class RandomPolicy implements RoutingPolicy {
    private final PolicySpec spec;

    RandomPolicy(PolicyParameters parameters) {
        spec = parameters.spec(1);
    }

    @Override
    public PolicySpec spec() {
        return spec;
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        int n = fleet.eligible();
        if (n == 0) {
            return Placement.nowhere(fleet.home());
        }
        int drawn = new SplittableRandom(request.seed()).nextInt(n);
        return Placement.balanced(fleet.eligible(drawn)).withPropensity(1.0 / n);
    }
}
