package dev.warmroute.recorder.trace;

import java.util.Iterator;

/**
 * Events one after the other, in constant memory. Used by one thread, closed by whoever asked for it. Throws
 * {@link dev.warmroute.router.UserError} when a segment turns out to be damaged.
 */
public interface EventCursor extends Iterator<RecordedEvent>, AutoCloseable {
    @Override
    void close();
}
