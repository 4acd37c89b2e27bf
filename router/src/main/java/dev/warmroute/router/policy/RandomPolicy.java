package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import java.util.SplittableRandom;

/** Each eligible replica with probability 1/n, drawn from the request's seed. */
final class RandomPolicy extends RulePolicy {
    RandomPolicy(PolicyParameters parameters) {
        super(parameters, 1);
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        int n = fleet.eligible();
        int drawn = new SplittableRandom(request.seed()).nextInt(n);
        return Placement.balanced(fleet.eligible(drawn)).withPropensity(1.0 / n);
    }
}
