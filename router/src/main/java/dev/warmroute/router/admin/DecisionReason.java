package dev.warmroute.router.admin;

import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.fleet.Input;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Why a decision was what it was, in a sentence, from the event alone. */
public final class DecisionReason {
    private DecisionReason() {}

    public static String of(RoutingDecision d) {
        String chosen = d.chosen().orElse("");
        return switch (d.kind()) {
            case PLACED -> "new conversation" + placedBy(d);
            case STICKY -> "at home on " + chosen + load(d, chosen);
            case OVERFLOW ->
                expired(d)
                        ? "hold_expired: held for as long as may be, sent to " + chosen + " all the same"
                        : busy(d, d.homeBefore().or(d::homeAfter).orElse("")) + "; " + chosen + " has "
                                + inFlight(d, chosen);
            case MOVED -> "home moved from " + d.homeBefore().orElse("nowhere") + " to " + chosen + scored(d, chosen);
            case FAILOVER ->
                "home " + d.homeBefore().orElse("") + " cannot be used ("
                        + reason(d, d.homeBefore().orElse("")) + "); now at home on " + chosen + scored(d, chosen);
            case PINNED -> "goes to " + chosen + " because the client named its rank, or a response that it holds";
            case BALANCED ->
                (d.session().key().isEmpty()
                                ? "no conversation known"
                                : d.policy().name() + " keeps no homes")
                        + placedBy(d);
            case HELD -> held(d);
            case UNROUTED -> chosen.isEmpty() ? "no replica may be chosen: " + out(d.candidates()) : "sent on as it is";
        };
    }

    private static boolean expired(RoutingDecision d) {
        return d.policyInputs().getOrDefault(Input.HOLD_EXPIRED.wireName(), 0.0) > 0;
    }

    private static String held(RoutingDecision d) {
        double ahead = d.policyInputs().getOrDefault(Input.AHEAD.wireName(), 0.0);
        return "waits until a place is free" + (ahead > 0 ? ", behind " + number(ahead) : "");
    }

    private static String placedBy(RoutingDecision d) {
        String chosen = d.chosen().orElse("");
        String score = scored(d, chosen);
        return ", sent to " + chosen + (score.isEmpty() ? " by " + d.policy().name() : score);
    }

    private static String scored(RoutingDecision d, String replica) {
        OptionalDouble score = candidate(d, replica).map(Candidate::score).orElse(OptionalDouble.empty());
        return score.isPresent() ? ", score " + number(score.getAsDouble()) : "";
    }

    private static String load(RoutingDecision d, String replica) {
        return ", " + inFlight(d, replica) + " in flight"
                + (d.threshold().isPresent()
                        ? " (threshold " + number(d.threshold().getAsDouble()) + ")"
                        : "");
    }

    private static String busy(RoutingDecision d, String home) {
        return "home " + home + " is too busy" + load(d, home);
    }

    private static String inFlight(RoutingDecision d, String replica) {
        return candidate(d, replica).map(c -> Integer.toString(c.inFlight())).orElse("unknown");
    }

    private static String reason(RoutingDecision d, String replica) {
        return candidate(d, replica).flatMap(Candidate::reason).orElse("not among the replicas");
    }

    private static Optional<Candidate> candidate(RoutingDecision d, String replica) {
        return d.candidates().stream().filter(c -> c.replica().equals(replica)).findFirst();
    }

    private static String out(List<Candidate> candidates) {
        return candidates.stream()
                .map(c -> c.replica() + " " + c.reason().orElse("eligible"))
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }
}
