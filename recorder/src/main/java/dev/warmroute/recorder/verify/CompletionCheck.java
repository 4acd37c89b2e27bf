package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Every request that was decided is completed exactly once. What was open
 * when the recording began or ended, or when events were lost, cannot be asked for more than that.
 */
final class CompletionCheck implements TraceCheck {
    static final String NAME = "completions";

    private final Differences differences;
    private final Map<Writer, Map<String, RecordedEvent>> open = new HashMap<>();
    private final RequestIdSet completed = new RequestIdSet();
    /** Routers whose events are not all here; the first of them may be completions of requests decided before. */
    private final Set<Writer> partial = new HashSet<>();

    private final Set<Writer> seen = new HashSet<>();
    private final Scope scope;
    private long faults;
    private long unmatched;
    private long left;

    CompletionCheck(Differences differences, Scope scope) {
        this.differences = differences;
        this.scope = scope;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        if (seen.add(writer) && (recorded.sequence() > 0 || scope.unaccountable())) {
            partial.add(writer);
        }
        Map<String, RecordedEvent> ofWriter = open.computeIfAbsent(writer, w -> new LinkedHashMap<>());
        switch (event) {
            case RoutingDecision d -> {
                ofWriter.put(d.requestId(), recorded);
                if (completed.contains(d.requestId())) {
                    fault(recorded, "decided", "again", "not after its completion");
                }
            }
            case RequestCompleted c -> completed(writer, ofWriter, recorded, c);
            case ControlEvent.RouterStopped stopped -> {
                if (!partial.contains(writer)) {
                    ofWriter.values().forEach(e -> fault(e, "completion", "none", "one before the router stopped"));
                    ofWriter.clear();
                }
            }
            default -> {
                // no matter
            }
        }
    }

    private void completed(
            Writer writer, Map<String, RecordedEvent> ofWriter, RecordedEvent recorded, RequestCompleted c) {
        if (!completed.add(c.requestId())) {
            fault(recorded, "completion", "another one", "one for a request");
            return;
        }
        if (ofWriter.remove(c.requestId()) == null) {
            if (partial.contains(writer)) {
                unmatched++;
            } else {
                fault(recorded, "decision", "none", "at least one before the completion");
            }
        }
    }

    @Override
    public void gap(Writer writer, Range numbers) {
        partial.add(writer);
        // completions may be among what is missing: nothing that is open now can be asked for
        Map<String, RecordedEvent> ofWriter = open.getOrDefault(writer, Map.of());
        left += ofWriter.size();
        open.remove(writer);
    }

    private void fault(RecordedEvent recorded, String field, String is, String shouldBe) {
        faults++;
        differences.add(NAME, recorded, field, is, shouldBe);
    }

    @Override
    public Check result() {
        long atEnd = open.values().stream().mapToLong(Map::size).sum();
        StringBuilder detail = new StringBuilder();
        detail.append(completed.size())
                .append(" requests completed, ")
                .append(faults)
                .append(" not exactly once");
        if (atEnd > 0) {
            detail.append(", ").append(atEnd).append(" in flight at the end");
        }
        if (unmatched + left > 0) {
            detail.append(", ")
                    .append(unmatched + left)
                    .append(" not to be told because events are missing around them");
        }
        return new Check(NAME, faults == 0, Check.EXACT, detail.toString());
    }
}
