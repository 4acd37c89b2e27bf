package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import java.util.List;

/**
 * llm-d's session affinity in its profile without prompts, with
 *
 * <pre>
 * active(r) = 1 for at most idle_threshold requests in flight, else (max - in_flight(r)) / max * max_busy
 * soft: the largest active(r) + (1 where the conversation is at home)
 * hard: the home as long as it may be chosen, else the largest active(r)
 * </pre>
 *
 * <p>One of those that tie is drawn at random. Conversations are kept for {@code idle_seconds}. Requests without a session have
 * the largest active(r).
 */
final class LlmdSessionPolicy extends RulePolicy {
    private final boolean hard;
    private final int idleThreshold;
    private final double maxBusy;
    private final Needs needs;

    LlmdSessionPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        hard = parameters
                .choice("mode", List.of("soft", "hard"), "whether the home is a preference or a must")
                .equals("hard");
        idleThreshold =
                parameters.count("idle_threshold", 0, 0, "requests in flight up to which a replica counts as idle");
        maxBusy = parameters.number("max_busy", 0, 1, "score of the least busy of the busy replicas");
        int idle = parameters.count("idle_seconds", 1, 300, "a conversation is forgotten after so long, s");
        needs = Needs.of(Input.SESSION).remembering(new Needs.Conversations(idle, idle));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        boolean atHome = fleet.hasHome() && fleet.replica(fleet.home()).eligible();
        if (hard && atHome) {
            return Placement.withHome(fleet, fleet.home());
        }
        Scores load = Scores.of(fleet, r -> r.inFlight());
        double most = load.at(load.most());
        String home = atHome ? fleet.replica(fleet.home()).id() : "";
        Scores scores = Scores.of(fleet, r -> {
            double active = r.inFlight() <= idleThreshold ? 1 : (most - r.inFlight()) / most * maxBusy;
            return active + (r.id().equals(home) ? 1 : 0);
        });
        Scores.Drawn drawn = scores.mostDrawn(request.seed());
        Placement placement =
                request.hasSession() ? Placement.withHome(fleet, drawn.replica()) : Placement.balanced(drawn.replica());
        return placement.withPropensity(drawn.propensity()).withScores(scores.values());
    }
}
