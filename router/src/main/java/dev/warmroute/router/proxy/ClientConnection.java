package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.RequestHead;
import dev.warmroute.router.proxy.http.RequestRefused;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
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
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection: reads one request after the other, whole, and has each answered before the next is looked at, so
 * that pipelined requests are answered in order. Goes on reading while an answer is under way, since that is how a client's
 * leaving shows. Used on its event loop only.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter implements RequestIntake.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        /** Between requests, or in one. */
        READING,
        ANSWERING,
        /** Answered for the last time; reading on a little, so that closing does not destroy the answer on its way. */
        LINGERING
    }

    private final Loop loop;
    private final Reception reception;
    private final RequestIntake intake;
    private final WaitingBytes waiting = new WaitingBytes();
    private Channel channel;
    private State state = State.READING;
    private long lingeringSince;
    private long sent;
    /** The client will send nothing more. */
    private boolean inputEnded;

    private RequestHead head;
    private Exchange exchange;

    ClientConnection(Loop loop, Reception reception) {
        this.loop = loop;
        this.reception = reception;
        this.intake = new RequestIntake(loop, this);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        loop.add(this);
        loop.shared().totals().connected();
        loop.shared().sockets().opened();
        if (loop.shared().sockets().tooManyForAClient(loop.now())) {
            loop.shared().totals().turnedAway();
            if (loop.shared().sockets().tooManyToAnswer()) {
                channel.close();
                return;
            }
            answerAndEnd(Answering.error(channel.alloc(), Dialect.OPENAI, 503, OpenSockets.FULL, false, false));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf piece = (ByteBuf) message;
        if (state == State.ANSWERING || !waiting.isEmpty()) {
            waiting.add(piece);
            stopReadingWhenFull();
        } else {
            consume(piece);
            serveWaiting();
        }
    }

    private void stopReadingWhenFull() {
        if (waiting.isFull()) {
            channel.config().setAutoRead(false);
        }
    }

    /** Whether the client is to read the answers that it has before it gets another: those that are made here would pile up. */
    private boolean mustReadFirst() {
        return state == State.READING && intake.idle() && !channel.isWritable();
    }

    /** Requests that came while another was being answered, or while the client was to read first. */
    private void serveWaiting() {
        while (!waiting.isEmpty() && state != State.ANSWERING && !mustReadFirst()) {
            consume(waiting.next());
        }
        closeIfOver();
        if (!waiting.isFull() && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    private void consume(ByteBuf piece) {
        try {
            while (piece.isReadable()) {
                if (mustReadFirst()) {
                    waiting.putBack(piece.readRetainedSlice(piece.readableBytes()));
                    stopReadingWhenFull();
                    return;
                }
                switch (state) {
                    case READING -> intake.read(piece, channel.alloc());
                    case LINGERING -> piece.skipBytes(piece.readableBytes());
                    case ANSWERING -> {
                        waiting.putBack(piece.readRetainedSlice(piece.readableBytes()));
                        stopReadingWhenFull();
                        return;
                    }
                }
            }
        } catch (RequestRefused e) {
            loop.shared().totals().malformedRequest();
            answerAndEnd(Answering.error(channel.alloc(), intake.dialect(), e.status(), e.getMessage(), false, false));
        } finally {
            piece.release();
        }
    }

    @Override
    public void sayContinue() {
        channel.writeAndFlush(Answering.goOn(), channel.voidPromise());
    }

    @Override
    public void refuseTooLarge(RequestHead refused, String message, boolean goesOn) {
        loop.shared().totals().malformedRequest();
        ByteBuf answer = Answering.error(channel.alloc(), Dialect.of(refused), 413, message, goesOn, false);
        if (goesOn) {
            channel.writeAndFlush(answer, channel.voidPromise());
        } else {
            answerAndEnd(answer);
        }
    }

    @Override
    public void readOver() {
        nextRequest();
    }

    @Override
    public void received(RequestHead request, RequestFacts facts, ByteBuf body, long arrivedAt) {
        state = State.ANSWERING;
        head = request;
        reception.receive(this, request, facts, body, arrivedAt);
    }

    /** Whether the client is still there to be answered. */
    boolean present() {
        return channel.isActive() && state == State.ANSWERING;
    }

    /** Lets an exchange have this connection until it has {@link #answered}. */
    void serve(Exchange next) {
        exchange = next;
        next.begin();
        watchHalfClosed();
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

    /** Whether the answer to the request under way has begun. */
    boolean answerBegun() {
        return exchange != null && exchange.answerBegun();
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
            endAfter(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Answers with an error of the router's own. */
    void refuse(Dialect dialect, int status, String message, RequestHead request) {
        boolean keepAlive = request.keepAlive() && !loop.draining();
        answer(
                Answering.error(
                        channel.alloc(),
                        dialect,
                        status,
                        message,
                        keepAlive,
                        request.method().equals("HEAD")),
                keepAlive);
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
            endAfter(lastWords);
        } else {
            lastWords.release();
            state = State.LINGERING;
            channel.flush();
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }
    }

    private void nextRequest() {
        state = State.READING;
        intake.next();
        if (!waiting.isEmpty()) {
            loop.executor().execute(this::serveWaiting); // while draining, too: it was promised that another may come
        } else if (loop.draining()) {
            closeIfIdle();
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

    /** Nothing that came or will come is looked at any more, but it is read. */
    private void linger() {
        state = State.LINGERING;
        lingeringSince = loop.now();
        waiting.release();
        channel.config().setAutoRead(true);
    }

    private void closeAfter(ByteBuf last) {
        linger();
        channel.writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closing while unread bytes wait would reset the connection and with it the answer: first says that this is the end. */
    private void endAfter(ByteBuf last) {
        linger();
        channel.writeAndFlush(last).addListener(written -> {
            if (written.isSuccess() && !inputEnded && channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
            } else {
                channel.close();
            }
        });
    }

    private void answerAndEnd(ByteBuf answer) {
        intake.release();
        endAfter(answer);
    }

    /** Closes a connection that has tried the router's patience. */
    void checkPatience(long now) {
        boolean over = switch (state) {
            case READING -> intake.patienceIsOver(now) && allSent() && waiting.isEmpty();
            case ANSWERING -> false;
            case LINGERING -> now - lingeringSince > (allSent() ? LINGER_NANOS : SLOW_NANOS);
        };
        if (over) {
            channel.close();
        }
    }

    private boolean allSent() {
        var pending = channel.unsafe().outboundBuffer();
        return pending == null || pending.isEmpty();
    }

    void closeIfIdle() {
        if (state == State.READING && intake.idle() && waiting.isEmpty()) {
            closeAfter(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Whether a request is being read or answered, or an answer has not left yet. */
    boolean busy() {
        return state == State.ANSWERING
                || state == State.READING && (intake.busy() || !waiting.isEmpty())
                || !allSent();
    }

    void abandon() {
        if (exchange != null) {
            exchange.abandon();
        }
        channel.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (exchange != null && ctx.channel().isWritable()) {
            exchange.clientWritable();
        } else if (state == State.READING && ctx.channel().isWritable() && !waiting.isEmpty()) {
            loop.executor().execute(this::serveWaiting);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        loop.remove(this);
        loop.shared().totals().disconnected();
        loop.shared().sockets().closed();
        if (exchange != null) {
            exchange.clientGone();
            exchange = null;
        }
        intake.release();
        waiting.release();
        state = State.LINGERING;
    }

    /** The client has ended its side; whether it has gone as well remains to be seen where the system can tell. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            closeIfOver();
            watchHalfClosed();
        }
    }

    private void watchHalfClosed() {
        if (inputEnded && exchange != null && channel instanceof EpollSocketChannel socket) {
            HalfClosedClient.watch(loop, this, socket);
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
