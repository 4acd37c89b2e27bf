package dev.warmroute.router.state;

import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A decision's view as the candidates of its event, and back: what is written is exactly what the policy read, so the view
 * read back from an event gives the policy the same to decide on.
 */
public final class Evidence {
    private Evidence() {}

    /** The candidates of an event. */
    public static List<Candidate> candidates(FleetView view, Placement placement) {
        List<Candidate> out = new ArrayList<>(view.size());
        for (int i = 0; i < view.size(); i++) {
            ReplicaView r = view.replica(i);
            Signals s = r.signals();
            out.add(new Candidate(
                    r.id(),
                    r.eligible(),
                    r.reason().isEmpty() ? Optional.empty() : Optional.of(r.reason()),
                    r.inFlight(),
                    r.liveSessions(),
                    s.known() ? OptionalDouble.of(s.running()) : OptionalDouble.empty(),
                    s.known() ? OptionalDouble.of(s.waiting()) : OptionalDouble.empty(),
                    s.known() ? OptionalDouble.of(s.kvUsage()) : OptionalDouble.empty(),
                    s.known() ? OptionalLong.of(s.ageMillis()) : OptionalLong.empty(),
                    r.predictedCachedTokens() < 0 ? OptionalInt.empty() : OptionalInt.of(r.predictedCachedTokens()),
                    r.inputs(),
                    score(placement, i)));
        }
        return out;
    }

    private static OptionalDouble score(Placement placement, int replica) {
        double[] scores = placement.scores();
        return scores.length == 0 || Double.isNaN(scores[replica])
                ? OptionalDouble.empty()
                : OptionalDouble.of(scores[replica]);
    }

    /** The request of an event, as its policy saw it. */
    public static RoutingRequest request(RoutingDecision event) {
        return new RoutingRequest(event.session().key(), event.prompt().tokens().orElse(-1), event.requestSeed());
    }

    /** The view of an event, as its policy saw it. */
    public static FleetView view(RoutingDecision event) {
        List<ReplicaView> replicas = new ArrayList<>(event.candidates().size());
        int home = FleetView.NONE;
        for (Candidate c : event.candidates()) {
            if (event.homeBefore().isPresent() && event.homeBefore().get().equals(c.replica())) {
                home = replicas.size();
            }
            Signals signals = c.countersAgeMs().isPresent()
                    ? new Signals(
                            c.running().orElse(0),
                            c.waiting().orElse(0),
                            c.kvUsage().orElse(0),
                            c.countersAgeMs().getAsLong())
                    : Signals.NONE;
            replicas.add(new ReplicaView(
                    c.replica(),
                    c.eligible(),
                    c.reason().orElse(""),
                    c.inFlight(),
                    c.liveSessions(),
                    signals,
                    c.predictedCachedTokens().orElse(-1),
                    c.inputs()));
        }
        return new FleetView(List.copyOf(replicas), home, event.policyInputs());
    }
}
