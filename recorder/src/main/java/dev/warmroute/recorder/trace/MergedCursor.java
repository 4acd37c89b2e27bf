package dev.warmroute.recorder.trace;

import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** Several cursors as one, always the event with the least time first; see {@link Recording#merged}. */
final class MergedCursor implements EventCursor {
    private static final Comparator<Head> ORDER = Comparator.<Head>comparingLong(h -> h.timeUs)
            .thenComparing(h -> h.event.source())
            .thenComparingLong(h -> h.event.sequence())
            .thenComparing(h -> h.event.topic())
            .thenComparingInt(h -> h.event.partition())
            .thenComparingLong(h -> h.event.offset());

    private static final class Head {
        private final EventCursor cursor;
        private RecordedEvent event;
        private long timeUs;

        private Head(EventCursor cursor) {
            this.cursor = cursor;
        }

        private boolean advance() {
            if (!cursor.hasNext()) {
                return false;
            }
            event = cursor.next();
            timeUs = event.timeUs();
            return true;
        }
    }

    private final List<EventCursor> cursors;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
    private boolean started;

    MergedCursor(List<EventCursor> cursors) {
        this.cursors = cursors;
    }

    @Override
    public boolean hasNext() {
        if (!started) {
            started = true;
            for (EventCursor cursor : cursors) {
                Head head = new Head(cursor);
                if (head.advance()) {
                    heads.add(head);
                }
            }
        }
        return !heads.isEmpty();
    }

    @Override
    public RecordedEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Head head = heads.poll();
        RecordedEvent event = head.event;
        if (head.advance()) {
            heads.add(head);
        }
        return event;
    }

    @Override
    public void close() {
        cursors.forEach(EventCursor::close);
    }
}
