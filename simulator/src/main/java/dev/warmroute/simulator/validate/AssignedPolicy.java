package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.PolicySpec;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.simulator.replay.Seeds;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/**
 * Sends requests where they were sent when they were recorded, and leaves others to another policy. It knows a request by the
 * seed that its replay gives it, as a recorded decision's own seed tells where a random policy sends it.
 */
final class AssignedPolicy implements RoutingPolicy {
    private static final int UNKNOWN = -1;

    private final RoutingPolicy others;
    private final Seeds seeds;
    private final Long2IntOpenHashMap replicaOf = new Long2IntOpenHashMap();

    AssignedPolicy(RoutingPolicy others, Seeds seeds) {
        this.others = others;
        this.seeds = seeds;
        replicaOf.defaultReturnValue(UNKNOWN);
    }

    /** @param index {@link Turn#index} of the replayed request */
    void assign(int index, int replica) {
        replicaOf.put(seeds.of(Seeds.Purpose.POLICY, index), replica);
    }

    @Override
    public PolicySpec spec() {
        return others.spec();
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        int replica = replicaOf.get(request.seed());
        return replica == UNKNOWN ? others.choose(request, fleet) : Placement.balanced(replica);
    }
}
