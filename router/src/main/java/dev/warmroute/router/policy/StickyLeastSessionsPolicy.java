package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * vllm-router's {@code sticky_least_loaded} (PR 235): a new conversation goes to the replica with the fewest conversations, ties
 * by the highest random weight of the two names; it stays there, however busy it is, until it has been idle for
 * {@code idle_seconds} or the replica cannot be used. Requests without a session go where the fewest are in flight.
 */
final class StickyLeastSessionsPolicy extends ConversationPolicy {
    private final Needs needs;

    StickyLeastSessionsPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        int idle = parameters.count("idle_seconds", 1, 7200, "a conversation is forgotten after so long, s");
        needs = Needs.of(Input.SESSION).remembering(new Needs.Conversations(idle, idle));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        if (fleet.hasHome() && fleet.replica(fleet.home()).eligible()) {
            return Placement.withHome(fleet, fleet.home());
        }
        Scores sessions = Scores.of(fleet, ReplicaView::liveSessions);
        double fewest = sessions.at(sessions.least());
        Scores tied = Scores.among(fleet, r -> r.liveSessions() == fewest, ReplicaView::liveSessions);
        return Placement.withHome(fleet, RendezvousPolicy.heaviest(request.session(), tied, fleet))
                .withScores(sessions.values());
    }
}
