package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.AnswerBody;
import dev.warmroute.router.proxy.http.AnswerHeads;
import dev.warmroute.router.proxy.usage.UsageTap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;

/**
 * One connection to a replica: serves one exchange at a time, and waits in the loop's pool in between. Used on its event loop
 * only.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter {
    private final Loop loop;
    private final Replica replica;
    private final AnswerHeads heads = new AnswerHeads();
    private final AnswerBody body = new AnswerBody();
    private final UsageTap tap = new UsageTap();
    private Channel channel;
    private Exchange exchange;
    private boolean used;
    private boolean idle;
    private long idleSince;
    private Throwable failure;

    /** A connection for an exchange; {@link #open} connects it. */
    UpstreamConnection(Loop loop, Replica replica, Exchange exchange) {
        this.loop = loop;
        this.replica = replica;
        this.exchange = exchange;
    }

    /**
     * Begins to connect; the exchange hears of the outcome.
     *
     * @return whether there was a socket to connect with; if not, the exchange hears nothing, and the replica is not to blame
     */
    boolean open() {
        ChannelFuture connecting = loop.connect(replica, this);
        channel = connecting.channel();
        if (connecting.isDone() && !connecting.isSuccess() && !channel.isRegistered()) {
            exchange = null; // such a future ends on a thread that is not this loop's, and its channel cannot even be
            // closed
            return false;
        }
        loop.shared().sockets().opened();
        channel.closeFuture().addListener(closed -> loop.shared().sockets().closed());
        connecting.addListener(this::connectEnded);
        return true;
    }

    ChannelInitializer<Channel> initializer(Transport transport) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel ch) {
                if (replica.config().tls()) {
                    SslHandler tls = transport
                            .upstreamTls()
                            .newHandler(
                                    ch.alloc(),
                                    replica.config().host(),
                                    replica.config().port());
                    tls.setHandshakeTimeoutMillis(
                            loop.shared().limits().connect().toMillis());
                    ch.pipeline().addLast(tls);
                }
                ch.pipeline().addLast(UpstreamConnection.this);
            }
        };
    }

    private void connectEnded(Future<? super Void> connecting) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (connecting.isSuccess() && tls != null) {
            tls.handshakeFuture().addListener(this::ready);
        } else {
            ready(connecting);
        }
    }

    private void ready(Future<?> outcome) {
        Exchange waiting = exchange;
        if (waiting == null) {
            channel.close();
        } else if (outcome.isSuccess()) {
            waiting.connected(this);
        } else {
            exchange = null;
            channel.close();
            waiting.connectFailed(outcome.cause());
        }
    }

    Replica replica() {
        return replica;
    }

    Channel channel() {
        return channel;
    }

    AnswerHeads heads() {
        return heads;
    }

    AnswerBody body() {
        return body;
    }

    UsageTap tap() {
        return tap;
    }

    /** Whether an earlier exchange was served. */
    boolean used() {
        return used;
    }

    /** Whether it is open and has not been idle for too long. */
    boolean usable(long now) {
        return channel.isActive() && now - idleSince < Loop.KEEP_ALIVE_NANOS;
    }

    /** Takes the connection out of the pool for an exchange. */
    void serve(Exchange next) {
        exchange = next;
        idle = false;
        used = true;
    }

    /** Gives the connection back after a complete answer. */
    void served(boolean reusable) {
        exchange = null;
        if (reusable && channel.isActive() && allSent()) {
            resumeReading();
            heads.reset();
            tap.ignore();
            used = true;
            idle = true;
            idleSince = loop.now();
            loop.nowIdle(this);
        } else {
            channel.close();
        }
    }

    /** Whether the whole request has left; a replica may answer before it has read everything. */
    private boolean allSent() {
        var pending = channel.unsafe().outboundBuffer();
        return pending != null && pending.isEmpty();
    }

    /**
     * Drops the exchange and resets the connection, so that the replica notices at once and stops working on it: an orderly
     * close would queue behind what it has not read yet.
     */
    void abort() {
        exchange = null;
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.close();
    }

    void close() {
        channel.close();
    }

    void pauseReading() {
        channel.config().setAutoRead(false);
    }

    boolean readingPaused() {
        return !channel.config().isAutoRead();
    }

    void resumeReading() {
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf piece = (ByteBuf) message;
        if (exchange == null) {
            piece.release();
            ctx.close();
        } else {
            exchange.answer(this, piece);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (exchange != null) {
            exchange.answerPaused();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idle) {
            idle = false;
            loop.noLongerIdle(this);
        }
        Exchange cut = exchange;
        exchange = null;
        if (cut != null) {
            cut.upstreamClosed(this, failure);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failure = cause;
        ctx.close();
    }
}
