package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import java.util.List;

/**
 * A conversation's home is the first of {@code virtual_nodes} places a replica, clockwise from its hash on a ring, whatever the
 * load (vllm-router {@code consistent_hash}, production-stack {@code session}). While that replica cannot be used, the next on
 * the ring has the conversation; vllm-router sends all of them to the first replica instead: {@code when_down=first}. Requests
 * without a session go where the fewest requests are in flight.
 */
final class ConsistentHashRingPolicy extends ConversationPolicy {
    private static final Needs NEEDS = Needs.of(Input.SESSION);

    private final int virtualNodes;
    private final boolean firstWhenDown;
    /** Of the replicas seen last; a pure function of their ids, kept because it takes a while. */
    private HashRing ring = HashRing.EMPTY;

    ConsistentHashRingPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        virtualNodes = parameters.count("virtual_nodes", 1, 160, "places of a replica on the ring");
        firstWhenDown = parameters
                .choice(
                        "when_down",
                        List.of("next", "first"),
                        "who stands in for a replica: the next on the ring, or the first of all")
                .equals("first");
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        ring = ring.over(fleet, virtualNodes);
        long key = KeyHash.of(request.session());
        int owner = ring.first(key, r -> true);
        if (!fleet.replica(owner).eligible()) {
            owner = firstWhenDown
                    ? fleet.eligible(0)
                    : ring.first(key, r -> fleet.replica(r).eligible());
        }
        return Placement.withHome(fleet, owner);
    }
}
