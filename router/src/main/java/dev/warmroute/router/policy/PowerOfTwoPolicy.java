package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.SplittableRandom;

/**
 * The power of two choices: two different eligible replicas are drawn, each pair as likely, and the one with less load has the
 * request; on a tie the one drawn first. Load is the requests in flight ({@code p2c_inflight}, vllm-router), or the KV usage when
 * both replicas have reported one and else the requests in flight of both ({@code p2c_kv}, SGLang's gateway).
 *
 * <p>Propensity of a choice c among n: {@code 2 / (n (n-1)) * (replicas with more load + 1/2 * others with as much)}.
 */
final class PowerOfTwoPolicy extends RulePolicy {
    private final boolean byKvUsage;

    private PowerOfTwoPolicy(PolicyParameters parameters, boolean byKvUsage) {
        super(parameters, 1);
        this.byKvUsage = byKvUsage;
    }

    static RoutingPolicy inFlight(PolicyParameters parameters) {
        return new PowerOfTwoPolicy(parameters, false);
    }

    static RoutingPolicy kvUsage(PolicyParameters parameters) {
        return new PowerOfTwoPolicy(parameters, true);
    }

    @Override
    public Needs needs() {
        return byKvUsage ? Needs.of(Input.SIGNALS) : Needs.NOTHING;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        int n = fleet.eligible();
        if (n == 1) {
            return Placement.balanced(fleet.eligible(0));
        }
        SplittableRandom random = new SplittableRandom(request.seed());
        int first = random.nextInt(n);
        int second = random.nextInt(n - 1);
        if (second >= first) {
            second++;
        }
        int a = fleet.eligible(first);
        int b = fleet.eligible(second);
        int chosen = compare(fleet.replica(a), fleet.replica(b)) <= 0 ? a : b;
        return Placement.balanced(chosen).withPropensity(propensity(fleet, chosen, n));
    }

    private double propensity(FleetView fleet, int chosen, int n) {
        double won = 0;
        for (int i = 0; i < n; i++) {
            int other = fleet.eligible(i);
            if (other != chosen) {
                int difference = compare(fleet.replica(chosen), fleet.replica(other));
                won += difference < 0 ? 1 : difference == 0 ? 0.5 : 0;
            }
        }
        return 2 * won / (n * (n - 1.0));
    }

    private int compare(ReplicaView a, ReplicaView b) {
        return byKvUsage && a.signals().known() && b.signals().known()
                ? Double.compare(a.signals().kvUsage(), b.signals().kvUsage())
                : Integer.compare(a.inFlight(), b.inFlight());
    }
}
