package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.List;

/** Writes requests in a format, one after the other in the trace's order. Used by one thread. */
interface TurnWriter {
    /** Writes a request, or keeps it until {@link #finish} where the format has whole sessions or whole columns. */
    void write(Turn turn);

    /** Writes what was kept; the file is closed by whoever opened it. */
    default void finish() {}

    /** What could not be written as it was, each a sentence with its count; after {@link #finish}. */
    default List<String> notes() {
        return List.of();
    }
}
