package dev.warmroute.recorder.format;

import dev.warmroute.router.UserError;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import java.util.zip.ZipException;

/**
 * The lines of a trace file as bytes, in a buffer that the next line overwrites: a format that knows its rows reads them there,
 * without a string for each. Lines end with a line feed, a carriage return, or both; the last one needs no end.
 */
final class TraceLines implements RowSource {
    private static final int BUFFER = 1 << 16;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final TraceFile file;
    private final LongAdder read = new LongAdder();
    private final long size;
    private final InputStream in;
    private byte[] buffer = new byte[BUFFER];
    /** Bytes of the buffer that are filled. */
    private int filled;

    private int from;
    private int to;
    /** Where the line after this one begins. */
    private int after;

    private boolean skipLineFeed;
    private long number;

    TraceLines(TraceFile file) {
        this.file = file;
        this.size = file.size();
        this.in = file.open(read);
    }

    /**
     * The earliest time that the rows of a file name, {@link Long#MAX_VALUE} if none does. A wrong row has no say; it is reported when
     * it is read again.
     *
     * @param time of the line that it is given, or {@link Long#MAX_VALUE}
     */
    static long earliest(TraceFile file, ToLongFunction<TraceLines> time) {
        long earliest = Long.MAX_VALUE;
        try (TraceLines lines = new TraceLines(file)) {
            while (lines.next()) {
                try {
                    earliest = lines.isBlank() ? earliest : Math.min(earliest, time.applyAsLong(lines));
                } catch (RowException e) {
                    // has no say
                }
            }
        }
        return earliest;
    }

    /**
     * Moves to the next line.
     *
     * @return false after the last one
     * @throws UserError if the file cannot be read on; the message names the line
     */
    boolean next() {
        if (!advance()) {
            return false;
        }
        if (number == 1 && Arrays.equals(buffer, from, Math.min(to, from + 3), BYTE_ORDER_MARK, 0, 3)) {
            from += 3; // as some programs put before UTF-8
        }
        return true;
    }

    private boolean advance() {
        number++;
        from = after;
        if (skipLineFeed) {
            skipLineFeed = false;
            if ((from < filled || fill(from)) && buffer[from] == '\n') {
                from++;
            }
        }
        int at = from;
        while (true) {
            at = endOfLine(at);
            if (at < filled) {
                break;
            }
            int scanned = at - from;
            boolean more = fill(from);
            at = from + scanned;
            if (!more) {
                to = at;
                after = at;
                return at > from;
            }
        }
        to = at;
        after = at + 1;
        skipLineFeed = buffer[at] == '\r';
        return true;
    }

    private int endOfLine(int start) {
        byte[] bytes = buffer;
        int end = filled;
        int at = start;
        while (at < end && bytes[at] != '\n' && bytes[at] != '\r') {
            at++;
        }
        return at;
    }

    /** Reads more behind what is kept, which moves to the front of the buffer; false at the end of the file. */
    private boolean fill(int keepFrom) {
        int kept = filled - keepFrom;
        if (kept > buffer.length / 2) {
            if (buffer.length > Integer.MAX_VALUE / 2) {
                throw new UserError(file.path() + " line " + number + " is longer than a row of a trace can be");
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        System.arraycopy(buffer, keepFrom, buffer, 0, kept);
        from = 0;
        filled = kept;
        int more = readMore();
        filled += Math.max(0, more);
        return more > 0;
    }

    private int readMore() {
        try {
            return in.read(buffer, filled, buffer.length - filled);
        } catch (EOFException | ZipException e) {
            throw new UserError(
                    file.path() + " is cut off or damaged in line " + number
                            + ": its compressed data cannot be read on; copy it again",
                    e);
        } catch (IOException e) {
            throw new UserError(file.path() + " cannot be read on in line " + number + ": " + e.getMessage(), e);
        }
    }

    /** Number of the line, from 1. */
    long number() {
        return number;
    }

    /** File and number of the line, for messages. */
    @Override
    public String place() {
        return file.path() + " line " + number;
    }

    /** Share of the file that has been read, from 0 to 1. */
    @Override
    public double progress() {
        return size == 0 ? 1 : Math.min(1, (double) read.sum() / size);
    }

    /** The bytes of the line are those from {@link #from} to {@link #to} of this; valid until the next line. */
    byte[] bytes() {
        return buffer;
    }

    /** Position of the line's first byte. */
    int from() {
        return from;
    }

    /** Position after its last byte, its end not included. */
    int to() {
        return to;
    }

    /** The line as text; bytes that are not UTF-8 are replaced. */
    String text() {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** Whether there is nothing but white space in it. */
    boolean isBlank() {
        // Most rows begin with a brace: no string is needed to see that.
        return from == to || buffer[from] != '{' && text().isBlank();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UserError(file.path() + " cannot be closed: " + e.getMessage(), e);
        }
    }
}
