package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.trace.Turn;
import java.util.function.Consumer;

/** A trace whose requests somebody else looks at as they are read, so that one pass serves both. */
final class WatchedReader implements TraceReader {
    private final TraceReader reader;
    private final Consumer<Turn> watcher;

    WatchedReader(TraceReader reader, Consumer<Turn> watcher) {
        this.reader = reader;
        this.watcher = watcher;
    }

    @Override
    public TraceDescription description() {
        return reader.description();
    }

    @Override
    public boolean hasNext() {
        return reader.hasNext();
    }

    @Override
    public Turn next() {
        Turn turn = reader.next();
        watcher.accept(turn);
        return turn;
    }

    @Override
    public void close() {
        reader.close();
    }
}
