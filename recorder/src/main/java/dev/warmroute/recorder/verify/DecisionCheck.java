package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every decision follows from its own event; see {@link Derivation}. Policies whose ids were replaced by other hashes and that
 * place by them cannot be asked.
 */
final class DecisionCheck implements TraceCheck {
    static final String NAME = "decisions";

    private final Differences differences;
    private final Derivation derivation = new Derivation();
    private final Set<String> notDerived;
    private final Set<String> names = new TreeSet<>();
    private long decisions;
    private long mismatches;
    private long pinned;
    private long notAsked;

    /** @param notDerived policies whose decisions cannot be derived from this trace */
    DecisionCheck(Differences differences, Set<String> notDerived) {
        this.differences = differences;
        this.notDerived = notDerived;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        if (!(event instanceof RoutingDecision d)) {
            return;
        }
        decisions++;
        if (d.kind() == Kind.PINNED) {
            pinned++;
        } else if (notDerived.contains(d.policy().name())) {
            notAsked++;
            return;
        } else {
            names.add(d.policy().name());
        }
        List<Derivation.Difference> found = derivation.differences(d);
        found.forEach(f -> differences.add(NAME, recorded, f.field(), f.recorded(), f.derived()));
        mismatches += found.isEmpty() ? 0 : 1;
    }

    long decisions() {
        return decisions;
    }

    long mismatches() {
        return mismatches;
    }

    @Override
    public Check result() {
        String by = names.isEmpty() ? "" : " by " + String.join(", ", names);
        return new Check(
                NAME,
                mismatches == 0,
                Check.EXACT,
                (decisions - notAsked) + " derived again" + by
                        + (pinned > 0 ? " (" + pinned + " named by the client)" : "") + ", "
                        + mismatches + " differ"
                        + (notAsked > 0
                                ? "; " + notAsked + " not asked: " + String.join(", ", notDerived)
                                        + " places by ids that were hashed anew"
                                : ""));
    }
}
