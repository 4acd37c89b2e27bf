package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.trace.TurnTraceWriter;
import dev.warmroute.router.UserError;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;

/** Brings a trace of any format into a trace directory, reading and writing as a stream. */
public final class TraceImport {
    private static final int PROGRESS_EVERY = 256;

    private TraceImport() {}

    /**
     * Reads the rest of a trace into a new directory; the reader stays the caller's to close.
     *
     * @param writtenBy version of warmroute
     * @param progress hears the share that has been read
     * @return what the trace asks for
     * @throws UserError if the trace has no request, a wrong row may not be skipped, or the directory is not empty
     */
    public static TurnSummary run(TraceReader reader, Path directory, String writtenBy, DoubleConsumer progress) {
        try (TurnTraceWriter writer = TurnTraceWriter.create(directory, writtenBy)) {
            TurnSummary.Counter counter = new TurnSummary.Counter();
            while (reader.hasNext()) {
                Turn turn = reader.next();
                writer.append(turn);
                counter.add(turn);
                if (turn.index() % PROGRESS_EVERY == 0) {
                    progress.accept(reader.progress());
                }
            }
            TraceDescription d = reader.description();
            if (d.rows() == 0) {
                throw d.empty();
            }
            writer.complete(new Imported(
                    d.format(),
                    d.name(),
                    d.sha256(),
                    d.blockSize(),
                    d.hasSessions(),
                    d.hasGaps(),
                    d.hasTimes(),
                    d.commonClock(),
                    d.rows(),
                    d.skipped(),
                    d.prefixes().wireName(),
                    d.notes()));
            return counter.summary(d);
        }
    }
}
