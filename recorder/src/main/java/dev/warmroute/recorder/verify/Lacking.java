package dev.warmroute.recorder.verify;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import java.util.Locale;
import java.util.Optional;

/** What a candidate lacked to be chosen, in words, from the event alone. */
final class Lacking {
    private Lacking() {}

    static String of(RoutingDecision d, Candidate c) {
        if (d.chosen().isPresent() && d.chosen().get().equals(c.replica())) {
            return "chosen";
        }
        if (!c.eligible()) {
            return "could not be chosen: " + c.reason().orElse("not eligible");
        }
        if (d.chosen().isEmpty()) {
            return d.kind() == Kind.HELD ? "no free place" : "not chosen";
        }
        boolean home = d.homeBefore().isPresent() && d.homeBefore().get().equals(c.replica());
        if (home && d.kind() == Kind.OVERFLOW) {
            return "the home, but too busy: " + c.inFlight() + " in flight"
                    + (d.threshold().isPresent()
                            ? ", threshold " + number(d.threshold().getAsDouble())
                            : "");
        }
        if (d.kind() == Kind.STICKY) {
            return "not the conversation's home" + against(d, c);
        }
        if (d.kind() == Kind.PINNED) {
            return "not the replica that the client named";
        }
        return (home ? "the home until now" + against(d, c) : against(d, c).replaceFirst("^; ", ""));
    }

    /** How it compares with the chosen one: by the policy's score where there is one, else by what is in flight. */
    private static String against(RoutingDecision d, Candidate c) {
        Optional<Candidate> chosen = d.candidates().stream()
                .filter(o -> o.replica().equals(d.chosen().orElseThrow()))
                .findFirst();
        if (chosen.isEmpty()) {
            return "; the chosen one is not among the candidates";
        }
        Candidate o = chosen.get();
        if (c.score().isPresent() && o.score().isPresent()) {
            return c.score().getAsDouble() == o.score().getAsDouble()
                    ? "; its score is the same, " + number(c.score().getAsDouble()) + ": the tie went to the other"
                    : "; its score is " + number(c.score().getAsDouble()) + ", the chosen one's "
                            + number(o.score().getAsDouble());
        }
        int more = c.inFlight() - o.inFlight();
        return more == 0
                ? "; as many in flight as the chosen one"
                : "; " + Math.abs(more) + (more > 0 ? " more" : " fewer") + " in flight than the chosen one";
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.3f", value);
    }
}
