package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves a recording, in one pass over all its events and in constant memory but for 32 bytes a request and what is in
 * flight. See the classes of this package for what each check asks.
 */
public final class TraceVerifier {
    /** Differences that are told one by one. */
    public static final int DEFAULT_DIFFERENCES = 20;

    private static final int WINDOW = 10_000;
    private static final String READABLE = "readable";

    private final EventCodec codec = new EventCodec();
    private final Scope scope;
    private final Differences differences;
    private final DecisionCheck decisions;
    private final SequenceCheck sequences;
    private final List<TraceCheck> checks;
    private long unreadable;

    private TraceVerifier(Recording recording, int maxDifferences) {
        scope = Scope.of(recording.manifest());
        differences = new Differences(maxDifferences);
        decisions = new DecisionCheck(differences, scope.notDerived());
        sequences = new SequenceCheck(differences, recording.manifest());
        checks = List.of(
                decisions,
                new CompletionCheck(differences, scope),
                new InFlightCheck(differences, scope),
                new HomeCheck(differences, scope),
                new CountersCheck(differences, scope),
                new TokenCheck(differences, scope),
                sequences);
    }

    /** Verifies a recording. */
    public static Verification verify(Recording recording) {
        return verify(recording, DEFAULT_DIFFERENCES);
    }

    /**
     * Verifies a recording.
     *
     * @param maxDifferences how many differences to tell one by one; all are counted
     */
    public static Verification verify(Recording recording, int maxDifferences) {
        return new TraceVerifier(recording, maxDifferences).run(recording);
    }

    private Verification run(Recording recording) {
        SequenceOrder order = new SequenceOrder(WINDOW, new Sink());
        try (EventCursor events = recording.merged()) {
            while (events.hasNext()) {
                RecordedEvent event = events.next();
                sequences.inPartition(event);
                event.writer().ifPresent(writer -> order.add(writer, event));
            }
        }
        order.end();
        List<Check> results = new ArrayList<>();
        checks.forEach(c -> results.add(c.result()));
        results.add(new Check(
                READABLE, unreadable == 0, Check.EXACT, unreadable + " events cannot be read by this warmroute"));
        return new Verification(decisions.decisions(), decisions.mismatches(), results, differences.first());
    }

    private final class Sink implements SequenceOrder.Sink {
        @Override
        public void event(Writer writer, RecordedEvent recorded) {
            if (recorded.tombstone()) {
                return;
            }
            Event event;
            try {
                event = recorded.event(codec);
            } catch (IllegalArgumentException e) {
                unreadable++;
                differences.add(READABLE, recorded, "data", e.getMessage(), "an event of type " + recorded.type());
                return;
            }
            checks.forEach(c -> c.event(writer, recorded, event));
        }

        @Override
        public void gap(Writer writer, Range numbers) {
            if (scope.others()) { // others' events are missing everywhere; what is known of these holds
                sequences.gap(writer, numbers);
            } else {
                checks.forEach(c -> c.gap(writer, numbers));
            }
        }

        @Override
        public void repeated(Writer writer, RecordedEvent recorded) {
            sequences.repeated(recorded);
        }
    }
}
