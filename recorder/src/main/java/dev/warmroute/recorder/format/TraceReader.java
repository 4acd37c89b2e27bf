package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.Iterator;

/**
 * The requests of a trace, one after the other in the trace's own order ({@link Turn#index}), in constant memory as far as
 * the format allows. Used by one thread. {@link #hasNext} and {@link #next} throw {@link dev.warmroute.router.UserError}
 * for a wrong row that may not be skipped.
 */
public interface TraceReader extends Iterator<Turn>, AutoCloseable {
    /** What is known of the trace so far; after the last turn its counts are final. */
    TraceDescription description();

    /** Share of the source that has been read, from 0 to 1; 0 where it cannot be told. */
    default double progress() {
        return 0;
    }

    @Override
    void close();
}
