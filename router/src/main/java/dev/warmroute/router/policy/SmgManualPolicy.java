package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.List;

/**
 * SGLang gateway's {@code manual}: a conversation keeps up to two replicas, the first it had and the one that stood in for it;
 * it goes to the first whenever that may be chosen, so it returns when its replica is back. A new conversation, and one that has
 * neither, is assigned at random, to the fewest requests in flight ({@code min_load}), or to the fewest conversations
 * ({@code min_group}); the lowest index on ties. Conversations are kept for {@code idle_seconds}. Requests without a session go
 * where the fewest are in flight.
 */
final class SmgManualPolicy extends ConversationPolicy {
    private final String assignment;
    private final Needs needs;

    SmgManualPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        assignment = parameters.choice(
                "assignment", List.of("random", "min_load", "min_group"), "how a new conversation is placed");
        int idle = parameters.count("idle_seconds", 1, 14_400, "a conversation is forgotten after so long, s");
        needs = Needs.of(Input.SESSION, Input.FIRST_HOME).remembering(new Needs.Conversations(idle, idle));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        if (fleet.hasHome()) {
            int first = fleet.has(Input.FIRST_HOME) ? (int) fleet.input(Input.FIRST_HOME) : fleet.home();
            if (fleet.replica(first).eligible()) {
                return Placement.withHome(fleet, first);
            }
            if (fleet.replica(fleet.home()).eligible()) {
                return Placement.withHome(fleet, fleet.home());
            }
        }
        Scores.Drawn assigned = assign(request, fleet);
        return Placement.withHome(fleet, assigned.replica()).withPropensity(assigned.propensity());
    }

    private Scores.Drawn assign(RoutingRequest request, FleetView fleet) {
        return switch (assignment) {
            case "min_load" -> new Scores.Drawn(fleet.leastInFlight(), 1);
            case "min_group" ->
                new Scores.Drawn(Scores.of(fleet, ReplicaView::liveSessions).least(), 1);
            default -> Scores.of(fleet, r -> 0).leastDrawn(request.seed());
        };
    }
}
