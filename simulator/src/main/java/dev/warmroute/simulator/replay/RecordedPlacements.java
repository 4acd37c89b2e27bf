package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.PolicySpec;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.List;

/**
 * Sends requests where they were sent when they were recorded, and leaves others to another policy. It knows a request by the
 * seed that its replay gives it, as a recorded decision's own seed tells where a random policy sends it. A conversation is at
 * home where it was sent last.
 */
public final class RecordedPlacements implements RoutingPolicy {
    private static final int UNKNOWN = -1;

    private final RoutingPolicy others;
    private final Seeds seeds;
    private final Long2IntOpenHashMap replicaOf = new Long2IntOpenHashMap();

    public RecordedPlacements(RoutingPolicy others, Seeds seeds) {
        this.others = others;
        this.seeds = seeds;
        replicaOf.defaultReturnValue(UNKNOWN);
    }

    /**
     * The recorded placements of turns that arrived before a moment.
     *
     * @param before nanoseconds from the start of the trace
     */
    public static RecordedPlacements of(List<Turn> turns, long before, RoutingPolicy others, Seeds seeds) {
        RecordedPlacements placements = new RecordedPlacements(others, seeds);
        for (Turn turn : turns) {
            if (turn.arrivalNanos() < before && turn.recorded().replica() >= 0) {
                placements.assign(turn.index(), turn.recorded().replica());
            }
        }
        return placements;
    }

    /** @param index {@link Turn#index} of the replayed request */
    public void assign(int index, int replica) {
        replicaOf.put(seeds.of(Seeds.Purpose.POLICY, index), replica);
    }

    @Override
    public PolicySpec spec() {
        return others.spec();
    }

    @Override
    public Needs needs() {
        return others.needs();
    }

    @Override
    public Placement choose(RoutingRequest request, FleetView fleet) {
        int replica = replicaOf.get(request.seed());
        return replica == UNKNOWN || replica >= fleet.size()
                ? others.choose(request, fleet)
                : Placement.withHome(fleet, replica);
    }
}
