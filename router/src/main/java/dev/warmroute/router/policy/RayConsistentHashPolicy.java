package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/**
 * Ray Serve's {@code ConsistentHashRouter} (ray#62906): a key belongs to the next of {@code virtual_nodes} places a replica on a
 * hash ring. With o the {@code max_ongoing} requests of a replica:
 *
 * <pre>
 * owner     the first replica clockwise that may be chosen; the conversation's home
 * chosen    the first of owner and the fallbacks behind it with fewer than o requests in flight; the owner when there is none
 * </pre>
 *
 * <p>The fallbacks are walked in the order of the ring, whichever of them has less to do. A request without a session has a key of
 * its own, and leaves no home. Ray retries later when owner and fallbacks are full; here the owner queues.
 */
final class RayConsistentHashPolicy extends RulePolicy {
    private final int virtualNodes;
    private final int fallbacks;
    private final int maxOngoing;
    /** Of the replicas seen last; a pure function of their ids, kept because it takes a while. */
    private HashRing ring = HashRing.EMPTY;

    RayConsistentHashPolicy(PolicyParameters parameters) {
        super(parameters, 1, Needs.of(Input.SESSION));
        virtualNodes = parameters.count("virtual_nodes", 1, 100, "places of a replica on the ring");
        fallbacks = parameters.count("fallbacks", 0, 2, "replicas behind the owner that may stand in for it");
        maxOngoing = parameters.automatic(
                "max_ongoing",
                1,
                parameters.maxNumSeqs(),
                "max_num_seqs",
                "requests in flight from which a replica is full");
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        ring = ring.over(fleet, virtualNodes);
        long key = request.hasSession() ? KeyHash.of(request.session()) : KeyHash.of(request.seed(), 1);
        boolean[] passed = new boolean[fleet.size()];
        int owner = next(key, passed, fleet);
        int chosen = owner;
        for (int i = 0; i < fallbacks && chosen != FleetView.NONE && isFull(fleet, chosen); i++) {
            passed[chosen] = true;
            chosen = next(key, passed, fleet);
        }
        if (chosen == FleetView.NONE || isFull(fleet, chosen)) {
            chosen = owner;
        }
        if (!request.hasSession()) {
            return Placement.balanced(chosen);
        }
        Placement placement = Placement.withHome(fleet, owner);
        return chosen == owner ? placement : placement.overflowTo(chosen);
    }

    private int next(long key, boolean[] passed, FleetView fleet) {
        return ring.first(key, r -> !passed[r] && fleet.replica(r).eligible());
    }

    private boolean isFull(FleetView fleet, int replica) {
        return fleet.replica(replica).inFlight() >= maxOngoing;
    }
}
