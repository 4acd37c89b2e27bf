package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/**
 * Highest random weight: a conversation's home is {@code argmax hash(session, r)} over the eligible replicas, whatever the load
 * (vllm-router {@code rendezvous_hash}). Without a replica its conversations spread over all others. Requests without a session
 * go where the fewest requests are in flight.
 */
final class RendezvousPolicy extends ConversationPolicy {
    private static final Needs NEEDS = Needs.of(Input.SESSION);

    RendezvousPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        return Placement.withHome(fleet, heaviest(request.session(), Scores.of(fleet, r -> 0), fleet));
    }

    /** Of the replicas with a score, the one with the highest weight for a key. */
    static int heaviest(String key, Scores asked, FleetView fleet) {
        int best = FleetView.NONE;
        long bestWeight = 0;
        for (int r = 0; r < fleet.size(); r++) {
            if (Double.isNaN(asked.at(r))) {
                continue;
            }
            long weight = KeyHash.of(key, fleet.replica(r).id());
            if (best == FleetView.NONE || Long.compareUnsigned(weight, bestWeight) > 0) {
                best = r;
                bestWeight = weight;
            }
        }
        return best;
    }
}
