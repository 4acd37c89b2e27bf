package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Brings the events of each router, which arrive by time and so almost in order, into the exact order of its sequence. An
 * event waits while a smaller number may still come, which is until {@code window} later ones of that router have come.
 */
final class SequenceOrder {
    /** Takes events in order, and is told of numbers that never came. */
    interface Sink {
        void event(Writer writer, RecordedEvent event);

        void gap(Writer writer, Range numbers);

        /** An event whose number was there already. */
        void repeated(Writer writer, RecordedEvent event);
    }

    private final int window;
    private final Sink sink;
    private final Map<Writer, Line> lines = new HashMap<>();

    private static final class Line {
        private final PriorityQueue<RecordedEvent> waiting =
                new PriorityQueue<>(Comparator.comparingLong(RecordedEvent::sequence)
                        .thenComparing(RecordedEvent::topic)
                        .thenComparingInt(RecordedEvent::partition)
                        .thenComparingLong(RecordedEvent::offset));
        /** Number that is due; -1 before the first. */
        private long due = -1;
    }

    SequenceOrder(int window, Sink sink) {
        this.window = window;
        this.sink = sink;
    }

    void add(Writer writer, RecordedEvent event) {
        Line line = lines.computeIfAbsent(writer, w -> new Line());
        line.waiting.add(event);
        if (line.due < 0 && event.sequence() == 0) {
            line.due = 0;
        }
        while (!line.waiting.isEmpty()
                && (line.waiting.peek().sequence() <= line.due || line.waiting.size() > window)) {
            deliver(writer, line);
        }
    }

    /** Delivers what still waits. */
    void end() {
        lines.keySet().stream().sorted().forEach(writer -> {
            Line line = lines.get(writer);
            while (!line.waiting.isEmpty()) {
                deliver(writer, line);
            }
        });
    }

    private void deliver(Writer writer, Line line) {
        RecordedEvent event = line.waiting.poll();
        if (line.due >= 0 && event.sequence() < line.due) {
            sink.repeated(writer, event);
            return;
        }
        if (line.due >= 0 && event.sequence() > line.due) {
            sink.gap(writer, new Range(line.due, event.sequence() - 1));
        }
        line.due = event.sequence() + 1;
        sink.event(writer, event);
    }
}
