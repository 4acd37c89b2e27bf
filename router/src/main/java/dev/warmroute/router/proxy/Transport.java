package dev.warmroute.router.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLException;

/**
 * How bytes move: Linux epoll where it is there, else the JDK's selector; TLS towards replicas whose URL says https. On either
 * side small writes leave at once (Nagle's algorithm waits for acknowledgements that a delaying receiver holds back: 40 ms a
 * token), and a peer whose machine has died without a word is noticed within a minute.
 *
 * @param epoll whether epoll is used
 * @param allocator where all buffers come from
 * @param upstreamTls for https replicas
 */
record Transport(boolean epoll, ByteBufAllocator allocator, SslContext upstreamTls) {
    private static final int BACKLOG = 4_096;
    private static final Map<ChannelOption<Boolean>, Boolean> BOTH_SIDES =
            Map.of(ChannelOption.TCP_NODELAY, true, ChannelOption.SO_KEEPALIVE, true);
    /**
     * Bytes of an answer that the system takes for a client that does not read them. It would take megabytes, and as many again
     * from the replica: with thousands of answers that nobody reads, more than there is for all connections together.
     */
    private static final int UNREAD = 256 * 1024;

    private static final Map<ChannelOption<Integer>, Integer> BOTH_SIDES_ON_LINUX = Map.of(
            EpollChannelOption.TCP_KEEPIDLE,
            30,
            EpollChannelOption.TCP_KEEPINTVL,
            10,
            EpollChannelOption.TCP_KEEPCNT,
            3);

    static Transport best() {
        return of(Epoll.isAvailable(), ByteBufAllocator.DEFAULT);
    }

    static Transport of(boolean epoll, ByteBufAllocator allocator) {
        try {
            return new Transport(epoll, allocator, SslContextBuilder.forClient().build());
        } catch (SSLException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    EventLoopGroup loops(int threads) {
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("warmroute-loop", true), PacedIoHandler.over(io));
    }

    /**
     * What listens.
     *
     * @param halfClosed whether connections stay open when the client ends its side
     */
    ServerBootstrap server(EventLoopGroup loops, boolean halfClosed) {
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, halfClosed);
        BOTH_SIDES.forEach(server::childOption);
        if (epoll) {
            BOTH_SIDES_ON_LINUX.forEach(server::childOption);
            server.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) UNREAD);
        }
        return server;
    }

    /** What connects, on the same event loop as the client that is being served; names are looked up elsewhere. */
    Bootstrap client(EventLoop loop, Duration connectTimeout) {
        Bootstrap client = new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.SO_RCVBUF, UNREAD)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(connectTimeout.toMillis()));
        BOTH_SIDES.forEach(client::option);
        if (epoll) {
            BOTH_SIDES_ON_LINUX.forEach(client::option);
        }
        return client;
    }
}
