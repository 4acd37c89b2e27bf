package dev.warmroute.recorder.edit;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.recorder.verify.Verification.Check;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Small traces for the tests of what is done to traces. */
final class Traces {
    private Traces() {}

    /** Events as a recorder would have left them, several segments to a partition. */
    static Recording written(Path dir, List<RecordedEvent> events) {
        try (TraceWriter writer = TraceWriter.open(dir, "0.1.0", "c", "w", new Limits(150, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        return Recording.open(dir);
    }

    static List<RecordedEvent> events(Path dir) {
        List<RecordedEvent> out = new ArrayList<>();
        try (EventCursor cursor = Recording.open(dir).merged()) {
            cursor.forEachRemaining(out::add);
        }
        return out;
    }

    static Verification verify(Path dir) {
        Recording.open(dir).verifyHashes();
        return TraceVerifier.verify(Recording.open(dir));
    }

    static Check check(Verification v, String name) {
        return v.checks().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
