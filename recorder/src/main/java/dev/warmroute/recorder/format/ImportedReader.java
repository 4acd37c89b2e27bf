package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.ImportedTurns;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.Turn;
import java.util.Locale;

/** A trace directory that was imported, as a trace to replay: what it knows is what its source knew. */
final class ImportedReader implements TraceReader {
    private final String name;
    private final String sha256;
    private final ImportedTurns turns;

    ImportedReader(Recording recording, ImportedTurns turns, String name) {
        this.name = name;
        this.sha256 = recording.sha256();
        this.turns = turns;
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
    public double progress() {
        long all = turns.imported().requests();
        return all == 0 ? 1 : (double) turns.rows() / all;
    }

    @Override
    public TraceDescription description() {
        Imported from = turns.imported();
        return new TraceDescription(
                name,
                from.format(),
                from.blockSize(),
                from.sessions(),
                from.gaps(),
                from.times(),
                from.commonClock(),
                turns.rows(),
                from.skipped(),
                sha256,
                Prefixes.valueOf(from.prefixes().toUpperCase(Locale.ROOT)),
                from.notes());
    }

    @Override
    public void close() {
        turns.close();
    }
}
