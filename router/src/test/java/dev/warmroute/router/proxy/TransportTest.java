package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransportTest {
    static Stream<Boolean> epoll() {
        return Epoll.isAvailable() ? Stream.of(true, false) : Stream.of(false);
    }

    @ParameterizedTest(name = "epoll: {0}")
    @MethodSource("epoll")
    void smallWritesLeaveAtOnceOnBothSidesAndDeadPeersAreNoticed(boolean epoll) throws Exception {
        assertBothSides(
                Transport.of(epoll, ByteBufAllocator.DEFAULT), ChannelOption.TCP_NODELAY, ChannelOption.SO_KEEPALIVE);
    }

    /** Connects as the router does, to what listens as the router does, and looks at both ends. */
    @SafeVarargs
    static void assertBothSides(Transport transport, ChannelOption<Boolean>... options) throws Exception {
        EventLoopGroup loops = transport.loops(1);
        try {
            CompletableFuture<Channel> accepted = new CompletableFuture<>();
            Channel listener = transport
                    .server(loops, transport.epoll())
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel ch) {
                            ch.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelActive(ChannelHandlerContext ctx) {
                                    accepted.complete(ctx.channel());
                                }
                            });
                        }
                    })
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            Channel connected = transport
                    .client(loops.next(), Duration.ofSeconds(5))
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(listener.localAddress())
                    .sync()
                    .channel();
            for (ChannelOption<Boolean> option : options) {
                assertThat(accepted.get(10, TimeUnit.SECONDS).config().getOption(option))
                        .isTrue();
                assertThat(connected.config().getOption(option)).isTrue();
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
