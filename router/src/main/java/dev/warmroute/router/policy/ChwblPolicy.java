package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/**
 * Consistent hashing with bounded loads (KubeAI {@code balance_chwbl.go}): the first replica clockwise from the conversation's
 * hash whose requests in flight are at most {@code load_factor * (all in flight + 1) / n}; the first eligible one when none is.
 * The home is the first eligible one, whatever its load. Requests without a session go where the fewest are in flight.
 */
final class ChwblPolicy extends ConversationPolicy {
    private static final Needs NEEDS = Needs.of(Input.SESSION);

    private final double loadFactor;
    private final int virtualNodes;
    /** Of the replicas seen last; a pure function of their ids, kept because it takes a while. */
    private HashRing ring = HashRing.EMPTY;

    ChwblPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        loadFactor = parameters.number(
                "load_factor", 1, 1.25, "most that a replica may have above the mean of requests in flight");
        virtualNodes = parameters.count("virtual_nodes", 1, 256, "places of a replica on the ring");
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        ring = ring.over(fleet, virtualNodes);
        double bound = BoundedLoad.of(fleet, loadFactor);
        long key = KeyHash.of(request.session());
        int owner = ring.first(key, r -> fleet.replica(r).eligible());
        int within = ring.first(
                key, r -> fleet.replica(r).eligible() && fleet.replica(r).inFlight() <= bound);
        Placement home = Placement.withHome(fleet, owner).withThreshold(bound);
        return within == FleetView.NONE || within == owner ? home : home.overflowTo(within);
    }
}
