package dev.warmroute.router.proxy;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;

/** Bytes of later requests that came while one was being answered. Used on one event loop only. */
final class WaitingBytes {
    private static final int MAX_BYTES = 64 * 1024;

    /** Buffers cost more than the few bytes that may be in them. */
    private static final int MAX_PIECES = 256;

    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>();
    private int bytes;

    /** Takes a piece behind the others; owned from now on. */
    void add(ByteBuf piece) {
        bytes += piece.readableBytes();
        pieces.addLast(piece);
    }

    /** Takes back a piece, or its rest, in front of the others. */
    void putBack(ByteBuf piece) {
        bytes += piece.readableBytes();
        pieces.addFirst(piece);
    }

    /** The next piece, owned by the caller. */
    ByteBuf next() {
        ByteBuf piece = pieces.pollFirst();
        bytes -= piece.readableBytes();
        return piece;
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Whether no more should be read for now. */
    boolean isFull() {
        return bytes >= MAX_BYTES || pieces.size() >= MAX_PIECES;
    }

    void release() {
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        bytes = 0;
    }
}
