package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.ArrayDeque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A trace that is read row by row, in memory for as much as one row and what its conversations need. A row may hold any number
 * of requests; wrong ones are reported with file, place and field, or left out as {@link OnError} says. Subclasses read a row
 * and say what the format knows.
 */
abstract class RowReader implements TraceReader {
    private final TraceFile file;
    private final OnError onError;
    private final String format;
    private final CompletableFuture<String> sha256;
    private final Queue<Turn> ready = new ArrayDeque<>();
    private boolean ended;
    private int emitted;
    private int rows;
    private long skipped;
    private boolean sessions;
    private boolean gaps;

    RowReader(TraceFile file, OnError onError, String format) {
        this.file = file;
        this.onError = onError;
        this.format = format;
        // Every figure names its trace's hash: another thread has it ready when the last row is read.
        this.sha256 = CompletableFuture.supplyAsync(file::sha256);
    }

    /**
     * Reads a row and {@linkplain #emit emits} its requests.
     *
     * @return false at the end of the trace
     * @throws RowException if the row is not of this format
     */
    abstract boolean readRow();

    /** Where the row read last stands, file included. */
    abstract String place();

    /** Position that the next emitted request has in the trace. */
    final int index() {
        return emitted;
    }

    /** Adds a request, whose index is {@link #index}. */
    final void emit(Turn turn) {
        emitted++;
        ready.add(turn);
    }

    final TraceFile file() {
        return file;
    }

    /** Tokens in a block; 0 without blocks. */
    int blockSize() {
        return 0;
    }

    /** Whether arrival times are known. */
    boolean hasTimes() {
        return true;
    }

    /** Whether sessions are on one clock. */
    boolean commonClock() {
        return true;
    }

    abstract Prefixes prefixes();

    /** What was assumed or left out on purpose. */
    List<String> notes() {
        return List.of();
    }

    @Override
    public final boolean hasNext() {
        while (ready.isEmpty() && !ended) {
            try {
                ended = !readRow();
            } catch (RowException e) {
                wrong(e);
            }
        }
        return !ready.isEmpty();
    }

    @Override
    public final Turn next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the trace " + file.name() + " has ended");
        }
        Turn turn = ready.remove();
        rows++;
        sessions |= turn.hasSession();
        gaps |= turn.gapNanos() >= 0;
        return turn;
    }

    @Override
    public final TraceDescription description() {
        hasNext();
        return new TraceDescription(
                file.name(),
                format,
                blockSize(),
                sessions,
                gaps,
                hasTimes(),
                commonClock(),
                rows,
                skipped,
                hash(),
                prefixes(),
                notes());
    }

    private String hash() {
        try {
            return sha256.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof UserError known ? known : e;
        }
    }

    /** Leaves a wrong row out, or does not. */
    final void wrong(RowException e) {
        skipped++;
        if (skipped > onError.limit()) {
            String before = skipped > 1 ? " (after " + (skipped - 1) + " wrong rows that were skipped)" : "";
            throw new UserError(place() + ": " + e.getMessage() + before + "; " + OnError.REMEDY, e);
        }
    }
}
