package dev.warmroute.router.proxy.usage;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The first and the last few data lines of an event stream. Engines tell usage in the last events, some of it in the first,
 * so these are all that is read, and only when the stream has ended; in passing, lines are only copied.
 */
final class EventTail {
    private static final int LAST = 4;

    /** Longer lines are not kept. */
    private static final int MAX_LINE = 4 << 20;

    private static final byte[] DATA = {'d', 'a', 't', 'a', ':'};

    private byte[] first = new byte[512];
    private int firstLength;
    private final byte[][] last = new byte[LAST][512];
    private final int[] lastLengths = new int[LAST];
    /** Data lines kept since the beginning, the first one not counted. */
    private int lines;

    private byte[] line = new byte[512];
    private int lineLength;
    private boolean lineTooLong;

    void begin() {
        firstLength = 0;
        lines = 0;
        lineLength = 0;
        lineTooLong = false;
    }

    void feed(ByteBuf piece, int index, int length) {
        int i = index;
        int end = index + length;
        while (i < end) {
            int lf = piece.indexOf(i, end, (byte) '\n');
            append(piece, i, (lf < 0 ? end : lf) - i);
            if (lf < 0) {
                return;
            }
            endLine();
            i = lf + 1;
        }
    }

    private void append(ByteBuf piece, int index, int length) {
        int needed = lineLength + length;
        if (needed > line.length) {
            if (needed > MAX_LINE) {
                lineTooLong = true;
                return;
            }
            line = Arrays.copyOf(line, Math.max(needed, line.length * 2));
        }
        piece.getBytes(index, line, lineLength, length);
        lineLength = needed;
    }

    private void endLine() {
        if (!lineTooLong && lineLength > DATA.length && Arrays.equals(line, 0, DATA.length, DATA, 0, DATA.length)) {
            keep();
        }
        lineLength = 0;
        lineTooLong = false;
    }

    private void keep() {
        byte[] free;
        if (firstLength == 0) {
            free = first;
            first = line;
            firstLength = lineLength;
        } else {
            int slot = lines++ % LAST;
            free = last[slot];
            last[slot] = line;
            lastLengths[slot] = lineLength;
        }
        line = free;
    }

    /** The answer's id told by the first line; empty before that has ended. */
    String id(UsageReader reader) {
        return firstLength == 0 ? "" : reader.id(first, DATA.length, firstLength);
    }

    /** Usage told by the lines kept; what later ones say counts. */
    Usage read(UsageReader reader) {
        Usage usage = Usage.UNKNOWN;
        if (firstLength > 0) {
            usage = usage.then(reader.read(first, DATA.length, firstLength));
        }
        for (int n = Math.max(0, lines - LAST); n < lines; n++) {
            usage = usage.then(reader.read(last[n % LAST], DATA.length, lastLengths[n % LAST]));
        }
        return usage;
    }
}
