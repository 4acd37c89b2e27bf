package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.ChunkedRequestBody;
import dev.warmroute.router.proxy.http.HeadCollector;
import dev.warmroute.router.proxy.http.RequestHead;
import dev.warmroute.router.proxy.http.RequestRefused;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.TimeUnit;

/**
 * Reads one request after the other off a connection's bytes, whole, and stops after each until it is told to go on. Used on
 * one event loop only.
 */
final class RequestIntake {
    /** A refused body of this length is read over to save the connection; a larger one costs it. */
    private static final long MAX_DISCARDED = 256L << 20;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(75);
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** What is done about requests. */
    interface Owner {
        /** The client waits for a word before it sends the body. */
        void sayContinue();

        /**
         * A request's body is too large.
         *
         * @param goesOn whether it is read over, and the next request may come; otherwise the connection must end
         */
        void refuseTooLarge(RequestHead head, String message, boolean goesOn);

        /**
         * A whole request. Nothing is read until {@link #next}.
         *
         * @param body owned by the owner
         */
        void received(RequestHead head, RequestFacts facts, ByteBuf body, long arrivedAt);

        /** A refused body has been read over. */
        void readOver();
    }

    private enum State {
        /** Between requests, or in a head. */
        HEAD,
        BODY,
        /** Reading over a body that was refused. */
        DISCARDING,
        /** Handed over. */
        WHOLE
    }

    private final Loop loop;
    private final Owner owner;
    private final RequestFacts facts = new RequestFacts();
    private final HeadCollector heads = new HeadCollector(RequestHead.MAX_BYTES);
    private final RequestBody body = new RequestBody();
    private State state = State.HEAD;
    /** When what is waited for began. */
    private long since;

    private RequestHead head;
    private long arrivedAt;
    private ChunkedRequestBody chunks;
    private long bodyLeft;
    private boolean readFacts;

    RequestIntake(Loop loop, Owner owner) {
        this.loop = loop;
        this.owner = owner;
        this.since = loop.now();
    }

    /** Goes on with the next request. */
    void next() {
        state = State.HEAD;
        since = loop.now();
    }

    /** Whether nothing of a request has come yet. */
    boolean idle() {
        return state == State.HEAD && !heads.begun();
    }

    /** Whether the client is in the middle of sending a request that will be answered. */
    boolean busy() {
        return state == State.BODY || state == State.HEAD && heads.begun();
    }

    /** In which words the client hears that its request was refused. */
    Dialect dialect() {
        return head == null ? Dialect.OPENAI : Dialect.of(head);
    }

    /** Whether the client has taken longer than anybody needs. */
    boolean patienceIsOver(long now) {
        long waited = now - since;
        return state != State.WHOLE && waited > (idle() ? IDLE_NANOS : SLOW_NANOS);
    }

    /** Reads on, up to the end of a request or of the piece. */
    void read(ByteBuf piece, ByteBufAllocator alloc) throws RequestRefused {
        switch (state) {
            case HEAD -> readHead(piece, alloc);
            case BODY -> readBody(piece, alloc);
            case DISCARDING -> discard(piece);
            case WHOLE -> throw new IllegalStateException("the last request has not been answered");
        }
    }

    private void readHead(ByteBuf piece, ByteBufAllocator alloc) throws RequestRefused {
        while (!heads.begun() && piece.isReadable() && isLineEnd(piece.getByte(piece.readerIndex()))) {
            piece.skipBytes(1);
        }
        if (!heads.begun()) {
            since = loop.now();
            head = null;
        }
        byte[] bytes = heads.take(piece);
        if (bytes.length == 0) {
            if (heads.firstLineLongerThan(RequestHead.MAX_LINE)) {
                throw new RequestRefused(414, "the request line is longer than " + RequestHead.MAX_LINE + " bytes");
            }
            if (heads.tooLong()) {
                throw new RequestRefused(431, "the head is longer than " + RequestHead.MAX_BYTES + " bytes");
            }
            return;
        }
        head = RequestHead.parse(bytes);
        arrivedAt = loop.now();
        beginBody(piece.isReadable(), alloc);
    }

    private static boolean isLineEnd(byte b) {
        return b == '\r' || b == '\n';
    }

    private void beginBody(boolean bodyIsComing, ByteBufAllocator alloc) {
        since = arrivedAt;
        bodyLeft = head.contentLength();
        if (bodyLeft > maxBody()) {
            boolean goesOn =
                    !head.expectsContinue() && head.keepAlive() && bodyLeft <= MAX_DISCARDED && !loop.draining();
            state = State.DISCARDING;
            owner.refuseTooLarge(head, tooLargeMessage(), goesOn);
            return;
        }
        readFacts = head.hasBody() && head.first("content-encoding").isEmpty();
        facts.begin(readFacts
                && (head.path().equals(Paths.RESPONSES)
                        || loop.shared().sessions().asksBody(head)));
        if (!head.hasBody()) {
            handOver(alloc);
            return;
        }
        chunks = head.chunked() ? new ChunkedRequestBody() : null;
        state = State.BODY;
        if (head.expectsContinue() && !bodyIsComing) {
            owner.sayContinue();
        }
    }

    private int maxBody() {
        return loop.shared().limits().maxBody();
    }

    private String tooLargeMessage() {
        return "the request's body is larger than " + maxBody() + " bytes";
    }

    private void discard(ByteBuf piece) {
        int n = (int) Math.min(bodyLeft, piece.readableBytes());
        piece.skipBytes(n);
        bodyLeft -= n;
        if (bodyLeft == 0) {
            owner.readOver();
        }
    }

    private void readBody(ByteBuf piece, ByteBufAllocator alloc) throws RequestRefused {
        since = loop.now();
        if (chunks == null) {
            int n = (int) Math.min(bodyLeft, piece.readableBytes());
            keep(piece, n, alloc);
            bodyLeft -= n;
            if (bodyLeft == 0) {
                handOver(alloc);
            }
            return;
        }
        while (piece.isReadable() && !chunks.ended()) {
            int n = Math.min(chunks.content(), piece.readableBytes());
            if (n == 0) {
                chunks.framing(piece.readByte());
                if ((long) body.length() + chunks.content() > maxBody()) {
                    throw new RequestRefused(413, tooLargeMessage());
                }
            } else {
                keep(piece, n, alloc);
                chunks.took(n);
            }
        }
        if (chunks.ended()) {
            handOver(alloc);
        }
    }

    private void keep(ByteBuf piece, int n, ByteBufAllocator alloc) {
        ByteBuf part = body.take(piece, n, alloc);
        if (readFacts) {
            facts.feed(part);
        }
    }

    private void handOver(ByteBufAllocator alloc) {
        chunks = null;
        state = State.WHOLE;
        owner.received(head, facts, body.handOver(alloc), arrivedAt);
    }

    /** Forgets what it has read of a request. */
    void release() {
        body.release();
        heads.reset();
    }
}
