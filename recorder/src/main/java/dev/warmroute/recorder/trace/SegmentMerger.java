package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes one segment of many small ones; {@link SmallSegments} says which are worth it. Not thread-safe. */
final class SegmentMerger {
    private final TraceDirectory directory;
    private final EventPreparer preparer = new EventPreparer();
    private final Set<String> leftAlone = new HashSet<>();

    SegmentMerger(TraceDirectory directory) {
        this.directory = directory;
    }

    /** Neighbours that are better one; empty when there are none. */
    List<Segment> run(TraceManifest manifest, TraceWriter.Limits limits, Retention keep) {
        return SmallSegments.run(manifest, limits, keep, leftAlone);
    }

    /** The events of neighbouring segments in one, not yet listed; empty when one of them is damaged. */
    Optional<Segment> merged(List<Segment> run) throws IOException {
        SegmentWriter writer = directory.newSegment(Place.of(run.getFirst()), SegmentWriter.Offsets.ANY);
        boolean whole = false;
        try (SegmentCursor events = new SegmentCursor(directory.segments(), run)) {
            while (events.hasNext()) {
                writer.write(preparer.prepare(events.next()));
            }
            Segment merged = directory.finished(writer);
            whole = true;
            return Optional.of(merged);
        } catch (UserError e) {
            // An old segment is damaged, which its readers will be told. Recording goes on without touching it.
            run.forEach(s -> leftAlone.add(s.file()));
            directory.files().delete(writer.file());
            return Optional.empty();
        } finally {
            if (!whole) {
                writer.abandon();
            }
        }
    }
}
