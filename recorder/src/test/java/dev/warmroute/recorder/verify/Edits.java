package dev.warmroute.recorder.verify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.router.event.EventCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Changes to recorded events, as a fault or a forger would make them. */
final class Edits {
    private Edits() {}

    static ObjectNode json(RecordedEvent e) {
        try {
            return (ObjectNode) EventCodec.mapper().readTree(e.data());
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }

    /** The same event with other content. */
    static RecordedEvent with(RecordedEvent e, Consumer<ObjectNode> edit) {
        ObjectNode json = json(e);
        edit.accept(json);
        return copy(e, e.offset(), e.id(), e.sequence(), json.toString().getBytes(StandardCharsets.UTF_8));
    }

    static RecordedEvent moved(RecordedEvent e, long offset) {
        return copy(e, offset, e.id(), e.sequence(), e.data());
    }

    static RecordedEvent renumbered(RecordedEvent e, long sequence) {
        return copy(e, e.offset(), e.id().substring(0, e.id().lastIndexOf('-') + 1) + sequence, sequence, e.data());
    }

    private static RecordedEvent copy(RecordedEvent e, long offset, String id, long sequence, byte[] data) {
        return new RecordedEvent(
                e.topic(),
                e.partition(),
                offset,
                e.timestampMs(),
                e.key(),
                id,
                e.type(),
                e.source(),
                e.subject(),
                e.time(),
                sequence,
                e.saltId(),
                data);
    }

    /** The n-th event whose content a predicate takes. */
    static RecordedEvent nth(List<RecordedEvent> events, Predicate<ObjectNode> which, int n) {
        return events.stream()
                .filter(e -> !e.tombstone() && which.test(json(e)))
                .skip(n)
                .findFirst()
                .orElseThrow();
    }

    /** The events with one replaced by another in its place. */
    static List<RecordedEvent> replaced(List<RecordedEvent> events, RecordedEvent old, RecordedEvent other) {
        List<RecordedEvent> out = new ArrayList<>(events);
        out.set(events.indexOf(old), other);
        return out;
    }

    /** The events without one; what is behind it in its partition does not move up. */
    static List<RecordedEvent> without(List<RecordedEvent> events, RecordedEvent gone) {
        return events.stream().filter(e -> e != gone).toList();
    }

    /** The events without one, the sequence behind it closed up: no number is missing. */
    static List<RecordedEvent> withoutTrace(List<RecordedEvent> events, RecordedEvent gone) {
        return events.stream()
                .filter(e -> e != gone)
                .map(e -> e.sequence() < gone.sequence() ? e : renumbered(e, e.sequence() - 1))
                .toList();
    }
}
