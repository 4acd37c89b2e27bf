package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.RecordedTurns;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.Turn;
import java.nio.file.Path;

/** A trace directory as a trace to replay. */
final class RecordingReader implements TraceReader {
    /** Format of a trace directory in descriptions. */
    static final String FORMAT = "recording";

    private final String name;
    private final RecordedTurns turns;
    private final String sha256;
    private boolean sessions;

    RecordingReader(Path directory, String name) {
        this.name = name;
        Recording recording = Recording.open(directory);
        this.turns = RecordedTurns.open(recording);
        this.sha256 = new TraceFile(directory.resolve(TraceManifest.FILE), name).sha256();
    }

    @Override
    public boolean hasNext() {
        return turns.hasNext();
    }

    @Override
    public Turn next() {
        Turn turn = turns.next();
        sessions |= turn.hasSession();
        return turn;
    }

    @Override
    public TraceDescription description() {
        return new TraceDescription(name, FORMAT, 0, sessions, sessions, true, true, turns.rows(), turns.skipped(), sha256);
    }

    @Override
    public void close() {
        turns.close();
    }
}
