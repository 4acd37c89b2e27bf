package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A trace with one JSON object a line: lines are counted, empty ones passed over, wrong ones reported with file, line and
 * field or left out as {@link OnError} says. Subclasses turn one line into one request.
 */
abstract class JsonLinesReader implements TraceReader {
    private final TraceFile file;
    private final OnError onError;
    private final TraceLines lines;
    private final CompletableFuture<String> sha256;
    private Optional<Turn> ahead = Optional.empty();
    private boolean ended;
    private int rows;
    private long skipped;

    JsonLinesReader(TraceFile file, OnError onError) {
        this.file = file;
        this.onError = onError;
        this.lines = new TraceLines(file);
        // Every figure names its trace's hash: another thread has it ready when the last row is read.
        this.sha256 = CompletableFuture.supplyAsync(file::sha256);
    }

    /**
     * Turns a line into a request.
     *
     * @param index position of the request among those read
     * @throws RowException if the line is not of this format
     */
    abstract Turn turn(JsonRow row, int index);

    /**
     * Turns a line into a request; for formats that can read their usual rows without a JSON parser.
     *
     * @throws RowException if the line is not of this format
     */
    Turn turn(TraceLines line, int index) {
        return turn(JsonRow.of(line.text()), index);
    }

    /** What the trace carries; rows, skipped rows, name and hash are filled in by this class. */
    abstract TraceDescription description(TraceDescriptionBase base);

    /** The part of a description that every file has. */
    record TraceDescriptionBase(String name, long rows, long skipped, String sha256) {}

    @Override
    public final boolean hasNext() {
        while (ahead.isEmpty() && !ended) {
            if (!lines.next()) {
                ended = true;
            } else if (!lines.isBlank()) {
                ahead = parse();
            }
        }
        return ahead.isPresent();
    }

    @Override
    public final Turn next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the trace " + file.name() + " has ended");
        }
        Turn turn = ahead.orElseThrow();
        ahead = Optional.empty();
        rows++;
        return turn;
    }

    @Override
    public final TraceDescription description() {
        hasNext();
        return description(new TraceDescriptionBase(file.name(), rows, skipped, hash()));
    }

    @Override
    public final void close() {
        lines.close();
    }

    private String hash() {
        try {
            return sha256.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof UserError known ? known : e;
        }
    }

    private Optional<Turn> parse() {
        try {
            return Optional.of(turn(lines, rows));
        } catch (RowException e) {
            skipped++;
            if (skipped > onError.limit()) {
                String before = skipped > 1 ? " (after " + (skipped - 1) + " wrong rows that were skipped)" : "";
                throw new UserError(file.path() + " line " + lines.number() + ": " + e.getMessage() + before, e);
            }
            return Optional.empty();
        }
    }
}
