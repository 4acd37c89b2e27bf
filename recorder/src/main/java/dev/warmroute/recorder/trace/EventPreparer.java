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
    private String lastSource = "";
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
        if (lastWriter.isPresent()
                && event.source().equals(lastSource)
                && event.id().startsWith(lastPrefix)
                && endsWith(event.id(), lastPrefix.length(), event.sequence())) {
            return lastWriter;
        }
        Optional<Writer> writer = event.writer();
        if (writer.isPresent()) {
            lastWriter = writer;
            lastSource = event.source();
            lastPrefix = event.id().substring(0, event.id().lastIndexOf('-') + 1);
        }
        return writer;
    }

    /** Whether what stands from a position on is the number, as {@link Long#toString} would write it. */
    private static boolean endsWith(String text, int from, long number) {
        long left = number;
        int at = text.length() - 1;
        do {
            if (at < from || text.charAt(at) != '0' + left % 10) {
                return false;
            }
            left /= 10;
            at--;
        } while (left > 0);
        return number >= 0 && at == from - 1;
    }
}
