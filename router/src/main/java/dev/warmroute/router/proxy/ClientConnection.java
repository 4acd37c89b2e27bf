package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.ChunkedRequestBody;
import dev.warmroute.router.proxy.http.HeadCollector;
import dev.warmroute.router.proxy.http.RequestHead;
import dev.warmroute.router.proxy.http.RequestRefused;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.CodecException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection: reads one request after the other, whole, and has each answered before the next is looked at, so
 * that pipelined requests are answered in order. Goes on reading while an answer is under way, since that is how a client's
 * leaving shows. Used on its event loop only.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /** Bytes of later requests kept while one is being answered; then reading stops. */
    private static final int MAX_WAITING = 64 * 1024;

    /** A refused body of this length is read over to save the connection; a larger one costs it. */
    private static final long MAX_DISCARDED = 256L << 20;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(75);
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final byte[] CONTINUE = {
        'H', 'T', 'T', 'P', '/', '1', '.', '1', ' ', '1', '0', '0', ' ', 'C', 'o', 'n', 't', 'i', 'n', 'u', 'e', '\r', '\n', '\r',
        '\n'
    };

    private enum State {
        /** Between requests, or in a head. */
        HEAD,
        BODY,
        ANSWERING,
        /** Reading over a body that was refused. */
        DISCARDING,
        /** Answered for the last time; reading on a little, so that closing does not destroy the answer on its way. */
        LINGERING
    }

    private final Loop loop;
    private final Reception reception;
    private final RequestFacts facts = new RequestFacts();
    private final HeadCollector heads = new HeadCollector(RequestHead.MAX_BYTES);
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private Channel channel;
    private State state = State.HEAD;
    private long since;
    private long sent;
    /** The client will send nothing more. */
    private boolean inputEnded;

    private RequestHead head;
    private long arrivedAt;
    private ChunkedRequestBody chunks;
    private long bodyLeft;
    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    private boolean readFacts;
    private Exchange exchange;

    ClientConnection(Loop loop, Reception reception) {
        this.loop = loop;
        this.reception = reception;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        since = loop.now();
        loop.add(this);
        loop.shared().totals().connected();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf piece = (ByteBuf) message;
        if (state == State.ANSWERING || !waiting.isEmpty()) {
            wait(piece, false);
        } else {
            consume(piece);
            serveWaiting();
        }
    }

    /** Requests that came while another was being answered. */
    private void serveWaiting() {
        while (!waiting.isEmpty() && state != State.ANSWERING) {
            ByteBuf piece = waiting.pollFirst();
            waitingBytes -= piece.readableBytes();
            consume(piece);
        }
        closeIfOver();
        if (waitingBytes < MAX_WAITING && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    private void wait(ByteBuf piece, boolean first) {
        waitingBytes += piece.readableBytes();
        if (first) {
            waiting.addFirst(piece);
        } else {
            waiting.addLast(piece);
        }
        if (waitingBytes >= MAX_WAITING) {
            channel.config().setAutoRead(false);
        }
    }

    private void consume(ByteBuf piece) {
        try {
            while (piece.isReadable()) {
                switch (state) {
                    case HEAD -> readHead(piece);
                    case BODY -> readBody(piece);
                    case DISCARDING -> discard(piece);
                    case LINGERING -> piece.skipBytes(piece.readableBytes());
                    case ANSWERING -> {
                        wait(piece.readRetainedSlice(piece.readableBytes()), true);
                        return;
                    }
                }
            }
        } catch (RequestRefused e) {
            loop.shared().totals().malformedRequest();
            Dialect dialect = head == null ? Dialect.OPENAI : Dialect.of(head);
            answerAndClose(Answering.error(channel.alloc(), dialect, e.status(), e.getMessage(), false, false));
        } finally {
            piece.release();
        }
    }

    private void readHead(ByteBuf piece) throws RequestRefused {
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
        beginBody(piece.isReadable());
    }

    private static boolean isLineEnd(byte b) {
        return b == '\r' || b == '\n';
    }

    private void beginBody(boolean bodyIsComing) throws RequestRefused {
        if (head.contentLength() > maxBody()) {
            tooLarge();
            return;
        }
        readFacts = head.hasBody() && head.first("content-encoding").isEmpty();
        facts.begin(readFacts && loop.shared().sessions().asksBody(head));
        if (!head.hasBody()) {
            requestRead();
            return;
        }
        chunks = head.chunked() ? new ChunkedRequestBody() : null;
        bodyLeft = head.contentLength();
        state = State.BODY;
        since = arrivedAt;
        if (head.expectsContinue() && !bodyIsComing) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(CONTINUE), channel.voidPromise());
        }
    }

    private int maxBody() {
        return loop.shared().limits().maxBody();
    }

    private String tooLargeMessage() {
        return "the request's body is larger than " + maxBody() + " bytes";
    }

    /** Answers before the body has been read. The connection survives if the body is worth reading over. */
    private void tooLarge() {
        loop.shared().totals().malformedRequest();
        boolean keep = !head.expectsContinue() && head.keepAlive() && head.contentLength() <= MAX_DISCARDED && !loop.draining();
        ByteBuf answer = Answering.error(channel.alloc(), Dialect.of(head), 413, tooLargeMessage(), keep, false);
        if (keep) {
            bodyLeft = head.contentLength();
            state = State.DISCARDING;
            since = loop.now();
            channel.writeAndFlush(answer, channel.voidPromise());
        } else {
            answerAndClose(answer);
        }
    }

    private void discard(ByteBuf piece) {
        int n = (int) Math.min(bodyLeft, piece.readableBytes());
        piece.skipBytes(n);
        bodyLeft -= n;
        if (bodyLeft == 0) {
            nextRequest();
        }
    }

    private void readBody(ByteBuf piece) throws RequestRefused {
        since = loop.now();
        if (chunks == null) {
            int n = (int) Math.min(bodyLeft, piece.readableBytes());
            keep(piece, n);
            bodyLeft -= n;
            if (bodyLeft == 0) {
                requestRead();
            }
            return;
        }
        while (piece.isReadable() && !chunks.ended()) {
            int n = Math.min(chunks.content(), piece.readableBytes());
            if (n == 0) {
                chunks.framing(piece.readByte());
                if ((long) body.readableBytes() + chunks.content() > maxBody()) {
                    throw new RequestRefused(413, tooLargeMessage());
                }
            } else {
                keep(piece, n);
                chunks.took(n);
            }
        }
        if (chunks.ended()) {
            requestRead();
        }
    }

    /** Keeps the next bytes as part of the body, without copying unless a large buffer holds little. */
    private void keep(ByteBuf piece, int n) {
        ByteBuf part = n * 4L < piece.capacity() && piece.capacity() > 4096 ? piece.readBytes(n) : piece.readRetainedSlice(n);
        if (readFacts) {
            facts.feed(part);
        }
        if (!body.isReadable()) {
            body.release();
            body = part;
        } else if (body instanceof CompositeByteBuf composite) {
            composite.addComponent(true, part);
        } else {
            body = channel.alloc().compositeBuffer(Integer.MAX_VALUE).addComponent(true, body).addComponent(true, part);
        }
    }

    private void requestRead() {
        ByteBuf whole = body;
        body = Unpooled.EMPTY_BUFFER;
        chunks = null;
        state = State.ANSWERING;
        reception.receive(this, head, facts, whole, arrivedAt);
    }

    /** Lets an exchange have this connection until it has {@link #answered}. */
    void serve(Exchange next) {
        exchange = next;
        next.begin();
    }

    ByteBufAllocator alloc() {
        return channel.alloc();
    }

    ByteBuf buffer(byte[] bytes) {
        return channel.alloc().buffer(bytes.length).writeBytes(bytes);
    }

    void write(ByteBuf bytes) {
        sent += bytes.readableBytes();
        channel.write(bytes, channel.voidPromise());
    }

    void flush() {
        channel.flush();
    }

    /** Bytes written to the client so far. */
    long sent() {
        return sent;
    }

    /** Whether a request is being answered. */
    boolean answering() {
        return exchange != null;
    }

    /** Whether an interim answer may be sent now. */
    boolean mayBeSentInterim() {
        return exchange != null && !exchange.answerBegun() && !head.http10();
    }

    boolean writable() {
        return channel.isWritable();
    }

    /** The whole answer has been written. */
    void answered(boolean keepAlive) {
        exchange = null;
        if (keepAlive) {
            channel.flush();
            nextRequest();
        } else {
            closeAfter(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Answers with an error of the router's own. */
    void refuse(Dialect dialect, int status, String message, RequestHead request) {
        boolean keepAlive = request.keepAlive() && !loop.draining();
        answer(Answering.error(channel.alloc(), dialect, status, message, keepAlive, request.method().equals("HEAD")), keepAlive);
    }

    /** Answers with a whole answer of the router's own. */
    void answer(ByteBuf answer, boolean keepAlive) {
        write(answer);
        answered(keepAlive);
    }

    /** Ends a broken answer: sends the last words, if any, and cuts the connection so that it cannot pass for complete. */
    void breakOff(ByteBuf lastWords) {
        exchange = null;
        if (lastWords.isReadable()) {
            closeAfter(lastWords);
        } else {
            lastWords.release();
            state = State.LINGERING;
            channel.flush();
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }
    }

    private void nextRequest() {
        state = State.HEAD;
        since = loop.now();
        if (loop.draining()) {
            closeIfIdle();
        } else if (!waiting.isEmpty()) {
            loop.executor().execute(this::serveWaiting);
        } else {
            closeIfOver();
        }
    }

    /** Closes the connection if the client has ended its side and no answer is to come. */
    private void closeIfOver() {
        if (!inputEnded || state == State.ANSWERING || !waiting.isEmpty()) {
            return;
        }
        if (state != State.LINGERING) {
            closeAfter(Unpooled.EMPTY_BUFFER);
        } else if (channel instanceof DuplexChannel duplex && duplex.isOutputShutdown()) {
            channel.close();
        }
    }

    private void closeAfter(ByteBuf last) {
        state = State.LINGERING;
        since = loop.now();
        channel.writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closing while unread bytes wait would reset the connection and with it the answer: first says that this is the end. */
    private void answerAndClose(ByteBuf answer) {
        dropBody();
        heads.reset();
        state = State.LINGERING;
        since = loop.now();
        channel.writeAndFlush(answer).addListener(written -> {
            if (written.isSuccess() && channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
            } else {
                channel.close();
            }
        });
    }

    /** Closes a connection that has tried the router's patience. */
    void checkPatience(long now) {
        long waited = now - since;
        switch (state) {
            case HEAD -> {
                if (waited > (heads.begun() ? SLOW_NANOS : IDLE_NANOS)) {
                    channel.close();
                }
            }
            case BODY, DISCARDING -> {
                if (waited > SLOW_NANOS) {
                    channel.close();
                }
            }
            case LINGERING -> {
                if (waited > (allSent() ? LINGER_NANOS : SLOW_NANOS)) {
                    channel.close();
                }
            }
            case ANSWERING -> {}
        }
    }

    private boolean allSent() {
        var pending = channel.unsafe().outboundBuffer();
        return pending == null || pending.isEmpty();
    }

    void closeIfIdle() {
        if (state == State.HEAD && !heads.begun() && waiting.isEmpty()) {
            closeAfter(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Whether a request is being read or answered. */
    boolean busy() {
        return state == State.BODY || state == State.ANSWERING || state == State.HEAD && heads.begun();
    }

    void abandon() {
        if (exchange != null) {
            exchange.abandon();
        }
        channel.close();
    }

    private void dropBody() {
        body.release();
        body = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (exchange != null && ctx.channel().isWritable()) {
            exchange.clientWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        loop.remove(this);
        loop.shared().totals().disconnected();
        if (exchange != null) {
            exchange.clientGone();
            exchange = null;
        }
        dropBody();
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        waitingBytes = 0;
        state = State.LINGERING;
    }

    /** The client has ended its side; whether it has gone as well remains to be seen where the system can tell. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            closeIfOver();
            if (exchange != null && channel instanceof EpollSocketChannel socket) {
                HalfClosedClient.watch(loop, this, socket);
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof RuntimeException && !(cause instanceof CodecException) || cause instanceof Error) {
            LOG.error("a client's connection is closed for a fault of the router's own", cause);
        }
        ctx.close();
    }
}
