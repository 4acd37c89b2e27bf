package dev.warmroute.router.proxy.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Collects the bytes of a head, which may arrive in pieces, up to the empty line. */
public final class HeadCollector {
    private static final byte[] NONE = {};

    private final int maxBytes;
    private byte[] kept = NONE;
    private int size;
    /** How much of {@code CR LF CR LF} the bytes so far end with. */
    private int matched;

    public HeadCollector(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Whether a head has begun and not ended. */
    public boolean begun() {
        return size > 0;
    }

    /** Bytes collected so far. */
    public int size() {
        return size;
    }

    /**
     * Takes bytes of the piece, which moves its reader index behind them: up to the end of the head, or all.
     *
     * @return the whole head; an empty array while it goes on
     */
    public byte[] take(ByteBuf piece) {
        int from = piece.readerIndex();
        int to = end(piece, from);
        int n = to - from;
        if (size == 0 && matched == 4) {
            byte[] head = new byte[n];
            piece.readBytes(head);
            matched = 0;
            return head;
        }
        if (size + n > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(size + n, Math.min(maxBytes, Math.max(512, kept.length * 2))));
        }
        piece.readBytes(kept, size, n);
        size += n;
        if (matched < 4) {
            return NONE;
        }
        byte[] head = Arrays.copyOf(kept, size);
        reset();
        return head;
    }

    /** Whether more than the allowed bytes have come without the head's end. */
    public boolean tooLong() {
        return size > maxBytes;
    }

    /** Whether the first line has not ended within so many bytes. */
    public boolean firstLineLongerThan(int bytes) {
        for (int i = 0; i < Math.min(size, bytes); i++) {
            if (kept[i] == '\n') {
                return false;
            }
        }
        return size > bytes;
    }

    public void reset() {
        kept = NONE;
        size = 0;
        matched = 0;
    }

    private int end(ByteBuf piece, int from) {
        int limit = (int) Math.min(piece.writerIndex(), (long) from + maxBytes + 1 - size);
        for (int i = from; i < limit; i++) {
            byte b = piece.getByte(i);
            if (b == '\n') {
                matched = matched == 1 || matched == 3 ? matched + 1 : 0;
                if (matched == 4) {
                    return i + 1;
                }
            } else if (b == '\r') {
                matched = matched == 2 ? 3 : 1;
            } else {
                matched = 0;
            }
        }
        return limit;
    }
}
