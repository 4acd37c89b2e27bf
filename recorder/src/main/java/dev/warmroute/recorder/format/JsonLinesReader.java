package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * A trace with one JSON object a line: lines are counted, empty ones passed over, wrong ones reported with file, line and
 * field or left out as {@link OnError} says. Subclasses turn one line into one request.
 */
abstract class JsonLinesReader implements TraceReader {
    private final TraceFile file;
    private final OnError onError;
    private final BufferedReader lines;
    private Optional<Turn> ahead = Optional.empty();
    private boolean ended;
    private long line;
    private int rows;
    private long skipped;
    private String sha256 = "";

    JsonLinesReader(TraceFile file, OnError onError) {
        this.file = file;
        this.onError = onError;
        this.lines = lines(file);
    }

    static BufferedReader lines(TraceFile file) {
        return new BufferedReader(
                new InputStreamReader(
                        file.open(),
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .onMalformedInput(CodingErrorAction.REPLACE)
                                .onUnmappableCharacter(CodingErrorAction.REPLACE)),
                1 << 16);
    }

    /**
     * Turns a line into a request.
     *
     * @param index position of the request among those read
     * @throws RowException if the line is not of this format
     */
    abstract Turn turn(JsonRow row, int index);

    /** What the trace carries; rows, skipped rows, name and hash are filled in by this class. */
    abstract TraceDescription description(TraceDescriptionBase base);

    /** The part of a description that every file has. */
    record TraceDescriptionBase(String name, long rows, long skipped, String sha256) {}

    @Override
    public final boolean hasNext() {
        while (ahead.isEmpty() && !ended) {
            Optional<String> text = readLine();
            if (text.isEmpty()) {
                ended = true;
            } else if (!text.get().isBlank()) {
                ahead = parse(text.get());
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
        if (sha256.isEmpty()) {
            sha256 = file.sha256();
        }
        hasNext();
        return description(new TraceDescriptionBase(file.name(), rows, skipped, sha256));
    }

    @Override
    public final void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UserError(file.path() + " cannot be closed: " + e.getMessage(), e);
        }
    }

    private Optional<Turn> parse(String text) {
        try {
            return Optional.of(turn(JsonRow.of(text), rows));
        } catch (RowException e) {
            skipped++;
            if (skipped > onError.limit()) {
                String before = skipped > 1 ? " (after " + (skipped - 1) + " wrong rows that were skipped)" : "";
                throw new UserError(file.path() + " line " + line + ": " + e.getMessage() + before, e);
            }
            return Optional.empty();
        }
    }

    private Optional<String> readLine() {
        line++;
        return readLine(lines, file, line);
    }

    static Optional<String> readLine(BufferedReader lines, TraceFile file, long line) {
        try {
            return Optional.ofNullable(lines.readLine());
        } catch (EOFException | ZipException e) {
            throw new UserError(
                    file.path() + " is cut off or damaged in line " + line + ": its compressed data cannot be read on; copy it again", e);
        } catch (IOException e) {
            throw new UserError(file.path() + " cannot be read on in line " + line + ": " + e.getMessage(), e);
        }
    }
}
