package dev.warmroute.router.proxy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import javax.net.ssl.SSLException;

/**
 * How bytes move: Linux epoll where it is there, else the JDK's selector; TLS towards replicas whose URL says https.
 *
 * @param epoll whether epoll is used
 * @param allocator where all buffers come from
 * @param upstreamTls for https replicas
 */
record Transport(boolean epoll, ByteBufAllocator allocator, SslContext upstreamTls) {
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
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("warmroute-loop", true), io);
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    Class<? extends SocketChannel> clientChannel() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
