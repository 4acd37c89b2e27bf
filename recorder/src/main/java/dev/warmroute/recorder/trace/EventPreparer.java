package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.router.event.Topic;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Looks into events before they are written; half the work of recording, which may be done on another thread than the
 * writing. One thread at a time.
 */
public final class EventPreparer {
    private final Map<Topic, EventScanner> scanners = new EnumMap<>(Topic.class);
    private final Map<Topic, TypedNames> names = new EnumMap<>(Topic.class);
    private Optional<Writer> lastWriter = Optional.empty();
    private String lastPrefix = "";

    public EventPreparer() {
        for (Topic topic : Topic.values()) {
            scanners.put(topic, new EventScanner(TopicColumns.of(topic)));
            names.put(topic, new TypedNames(TopicColumns.of(topic)));
        }
    }

    public PreparedEvent prepare(RecordedEvent event) {
        TypedNames columns = names.get(event.topic());
        Object[] values = new Object[columns.size()];
        boolean readable = event.tombstone() || scanners.get(event.topic()).scan(event.data(), values);
        return new PreparedEvent(event, new TypedValues(columns, values), readable, writer(event));
    }

    /** The router process; the same object as for the event before, as a rule. */
    private Optional<Writer> writer(RecordedEvent event) {
        int end = event.id().lastIndexOf('-');
        if (lastWriter.isPresent()
                && end == lastPrefix.length()
                && event.id().startsWith(lastPrefix)
                && event.source().endsWith(lastWriter.get().instance())
                && event.sequence() >= 0) {
            return lastWriter;
        }
        Optional<Writer> writer = event.writer();
        if (writer.isPresent()) {
            lastWriter = writer;
            lastPrefix = event.id().substring(0, end);
        }
        return writer;
    }
}
