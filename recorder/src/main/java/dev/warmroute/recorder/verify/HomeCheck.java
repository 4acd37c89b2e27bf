package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RoutingDecision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A conversation's home before a decision is the home after the last decision about it; a router may have forgotten it since
 * (idle, engine started again, too many conversations), but has no other. Not asked when several routers run at a
 * time: they share their homes.
 */
final class HomeCheck implements TraceCheck {
    static final String NAME = "homes";

    private final Differences differences;
    private final Map<Conversation, String> homes = new HashMap<>();
    private final Scope scope;
    private final Set<String> instances = new HashSet<>();
    private long compared;
    private long faults;

    private record Conversation(Writer writer, String model, String session) {}

    HomeCheck(Differences differences, Scope scope) {
        this.differences = differences;
        this.scope = scope;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        instances.add(writer.instance());
        if (!(event instanceof RoutingDecision d) || d.session().key().isEmpty() || scope.unaccountable()) {
            return;
        }
        Conversation conversation =
                new Conversation(writer, d.model(), d.session().key());
        String known = homes.get(conversation);
        if (known != null && d.homeBefore().isPresent()) {
            compared++;
            if (!known.equals(d.homeBefore().get())) {
                faults++;
                if (instances.size() == 1) {
                    differences.add(
                            NAME, recorded, "home_before", d.homeBefore().get(), known);
                }
            }
        }
        d.homeAfter().ifPresent(home -> homes.put(conversation, home));
    }

    @Override
    public void gap(Writer writer, Range numbers) {
        homes.keySet().removeIf(c -> c.writer().equals(writer));
    }

    @Override
    public Check result() {
        if (scope.unaccountable()) {
            return new Check(NAME, true, Check.NOT_ASKED, "events are missing and nobody can tell where");
        }
        if (instances.size() > 1) {
            return new Check(NAME, true, Check.NOT_ASKED, instances.size() + " routers share their homes");
        }
        return new Check(NAME, faults == 0, Check.EXACT, compared + " homes compared, " + faults + " differ");
    }
}
