package dev.warmroute.router.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Collects a request's body as it arrives: large pieces as they are, without copying; small ones, of which a client can make
 * as many as its body has bytes, together in buffers that grow. Used on one event loop only.
 */
final class RequestBody {
    /** Shorter pieces are copied once the body has begun. */
    private static final int SMALL = 1_024;

    /** A buffer of at most this size is kept for a part of it without a second thought. */
    private static final int CHEAP = 4_096;

    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    private CompositeByteBuf parts;
    /** Grows with small pieces, and is not among the parts yet. */
    private ByteBuf tail;

    /** Bytes so far. */
    int length() {
        return body.readableBytes() + (tail == null ? 0 : tail.readableBytes());
    }

    /**
     * Takes the next bytes of a piece.
     *
     * @return the same bytes, valid until the next call
     */
    ByteBuf take(ByteBuf piece, int n, ByteBufAllocator alloc) {
        if (tail != null || n < SMALL && body.isReadable()) {
            if (n < SMALL) {
                return copy(piece, n, alloc);
            }
            attachTail(alloc);
        }
        ByteBuf part =
                n * 4L < piece.capacity() && piece.capacity() > CHEAP ? piece.readBytes(n) : piece.readRetainedSlice(n);
        attach(part, alloc);
        return part;
    }

    private ByteBuf copy(ByteBuf piece, int n, ByteBufAllocator alloc) {
        if (tail == null) {
            tail = alloc.buffer(SMALL);
        }
        int from = tail.writerIndex();
        tail.writeBytes(piece, n);
        return tail.slice(from, n);
    }

    private void attachTail(ByteBufAllocator alloc) {
        ByteBuf whole = tail;
        tail = null;
        attach(whole, alloc);
    }

    private void attach(ByteBuf part, ByteBufAllocator alloc) {
        if (!body.isReadable()) {
            body.release();
            body = part;
        } else {
            if (parts == null) {
                parts = alloc.compositeBuffer(Integer.MAX_VALUE).addComponent(true, body);
                body = parts;
            }
            parts.addComponent(true, part);
        }
    }

    /** Hands the whole body over and begins anew. */
    ByteBuf handOver(ByteBufAllocator alloc) {
        if (tail != null) {
            attachTail(alloc);
        }
        ByteBuf whole = body;
        body = Unpooled.EMPTY_BUFFER;
        parts = null;
        return whole;
    }

    void release() {
        body.release();
        body = Unpooled.EMPTY_BUFFER;
        parts = null;
        if (tail != null) {
            tail.release();
            tail = null;
        }
    }
}
