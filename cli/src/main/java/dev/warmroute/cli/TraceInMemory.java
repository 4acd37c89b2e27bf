package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Turn;
import java.util.Iterator;

/** Reads a trace that is in memory already. */
final class TraceInMemory implements TraceReader {
    private final TraceDescription description;
    private final Iterator<Turn> turns;

    TraceInMemory(TraceSource.Trace trace) {
        this.description = trace.description();
        this.turns = trace.turns().iterator();
    }

    @Override
    public TraceDescription description() {
        return description;
    }

    @Override
    public boolean hasNext() {
        return turns.hasNext();
    }

    @Override
    public Turn next() {
        return turns.next();
    }

    @Override
    public void close() {
        // nothing is open
    }
}
