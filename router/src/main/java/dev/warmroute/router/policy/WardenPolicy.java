package dev.warmroute.router.policy;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * LM Warden's affinity: a new conversation is placed where
 *
 * <pre>score(r) = in_flight(r) + live_weight * live_sessions(r) + kv_weight * clamp(kv_usage(r), 0, 1)</pre>
 *
 * is least (rounded to 3 decimals; ties: fewest live sessions, then lowest index); the KV term counts only when every
 * eligible replica has a reading no older than {@code max_counter_age_ms}. Later requests go home, unless the home has
 * {@code overflow_threshold} requests in flight and another replica has fewer: that one request overflows there and the
 * home stays. A home that may not be chosen is replaced by a new placement (failover).
 *
 * <p>Defaults from LM Warden 2026-10: live_weight 1, kv_weight 8, age 15 s, threshold max(1, max_num_seqs / 4).
 */
final class WardenPolicy extends ConversationPolicy {
    private static final Needs NEEDS = Needs.of(Input.SESSION, Input.SIGNALS);

    private final double liveWeight;
    private final double kvWeight;
    private final int maxCounterAgeMillis;
    private final int overflowThreshold;

    WardenPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        liveWeight = parameters.number("live_weight", 1, "weight of a live session against a request in flight");
        kvWeight = parameters.number("kv_weight", 8, "weight of a full KV cache against a request in flight");
        maxCounterAgeMillis =
                parameters.count("max_counter_age_ms", 0, 15_000, "readings older than this do not count, ms");
        overflowThreshold = parameters.automatic(
                "overflow_threshold",
                1,
                Math.max(1, parameters.maxNumSeqs() / 4),
                "max(1, max_num_seqs / 4)",
                "requests in flight at which a home overflows");
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        Placement atHome = atHome(fleet).withThreshold(overflowThreshold);
        int home = atHome.replica();
        if (fleet.replica(home).inFlight() >= overflowThreshold) {
            int least = fleet.leastInFlight();
            if (least != home) {
                return atHome.overflowTo(least);
            }
        }
        return atHome;
    }

    private Placement atHome(FleetView fleet) {
        if (fleet.hasHome() && fleet.replica(fleet.home()).eligible()) {
            return Placement.atHome(Kind.STICKY, fleet.home());
        }
        double[] scores = scores(fleet);
        int best = FleetView.NONE;
        for (int r = 0; r < scores.length; r++) {
            if (fleet.replica(r).eligible() && (best == FleetView.NONE || better(fleet, scores, r, best))) {
                best = r;
            }
        }
        return Placement.atHome(fleet.hasHome() ? Kind.FAILOVER : Kind.PLACED, best)
                .withScores(scores);
    }

    private static boolean better(FleetView fleet, double[] scores, int r, int best) {
        if (scores[r] != scores[best]) {
            return scores[r] < scores[best];
        }
        return fleet.replica(r).liveSessions() < fleet.replica(best).liveSessions();
    }

    private double[] scores(FleetView fleet) {
        boolean kvKnown = true;
        for (ReplicaView r : fleet.replicas()) {
            kvKnown &= !r.eligible() || r.signals().knownWithin(maxCounterAgeMillis);
        }
        double[] scores = new double[fleet.size()];
        for (int i = 0; i < scores.length; i++) {
            ReplicaView r = fleet.replica(i);
            double kv = kvKnown ? kvWeight * Math.clamp(r.signals().kvUsage(), 0.0, 1.0) : 0;
            double score = r.inFlight() + liveWeight * r.liveSessions() + kv;
            scores[i] = r.eligible() ? rounded(score) : Double.NaN;
        }
        return scores;
    }

    /** As Python's {@code round(score, 3)}: the exact binary value, ties to even. */
    private static double rounded(double score) {
        return new BigDecimal(score).setScale(3, RoundingMode.HALF_EVEN).doubleValue();
    }
}
