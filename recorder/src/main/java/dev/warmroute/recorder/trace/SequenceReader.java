package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/** Reads which numbers of which router's sequence are in segments, without their events. */
final class SequenceReader {
    private SequenceReader() {}

    /** Tells each event's router process and number. */
    static void read(SegmentFile files, List<Segment> segments, ObjLongConsumer<Writer> numbers) {
        String previousId = "";
        Optional<Writer> writer = Optional.empty();
        try (ColumnCursor events = new ColumnCursor(files, segments, "ce_id", "ce_source", "ce_sequence")) {
            while (events.nextBatch()) {
                for (int i = 0; i < events.rows(); i++) {
                    String id = events.texts(0)[i];
                    int end = id.lastIndexOf('-');
                    if (end < 0 || end != previousId.lastIndexOf('-') || !previousId.startsWith(id.substring(0, end))) {
                        writer = Writer.of(events.texts(1)[i], id, events.longs(2)[i]);
                    }
                    previousId = id;
                    if (writer.isPresent() && events.longs(2)[i] >= 0) {
                        numbers.accept(writer.get(), events.longs(2)[i]);
                    }
                }
            }
        }
    }
}
