package dev.warmroute.benchmarks.streams;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Replicas whose answers are scripted, in a process of their own: {@code SlowReplica PORT...}. The header {@code x-plan} says what
 * a request is answered: {@code slow TICKET MILLIS} a token at once and one every so often, until they are told to finish;
 * {@code flood TICKET BYTES} as many bytes as fast as they are taken; everything else a token and the end. On standard input
 * {@code finish} ends all slow answers, {@code count} prints answers under way and bytes written.
 */
public final class SlowReplica {
    static final int FLOOD_PADDING = 16_000;

    private static final AtomicInteger ANSWERING = new AtomicInteger();
    private static final AtomicLong WRITTEN = new AtomicLong();

    private SlowReplica() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4_096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        all.add(channel);
                        channel.pipeline().addLast(new Requests());
                    }
                });
        for (String port : args) {
            server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)))
                    .sync();
        }
        System.out.println("ready");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command; (command = commands.readLine()) != null; ) {
            if (command.equals("finish")) {
                all.forEach(channel -> channel.pipeline().fireUserEventTriggered("finish"));
            }
            System.out.println(ANSWERING.get() + " " + WRITTEN.get());
        }
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private static final class Requests extends ChannelInboundHandlerAdapter {
        private final StringBuilder head = new StringBuilder();
        private long bodyLeft;
        private ScriptedAnswer answer;
        private int tokens;
        private long pauseMillis;
        private long floodLeft;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf piece = (ByteBuf) message;
            try {
                while (piece.isReadable()) {
                    if (bodyLeft > 0) {
                        int n = (int) Math.min(bodyLeft, piece.readableBytes());
                        piece.skipBytes(n);
                        bodyLeft -= n;
                    } else {
                        head.append((char) piece.readByte());
                        if (head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
                            continue;
                        }
                        bodyLeft = Long.parseLong(field("content-length", "0"));
                    }
                    if (bodyLeft == 0) {
                        begin(ctx, field("x-plan", "").split(" "));
                        head.setLength(0);
                    }
                }
            } finally {
                piece.release();
            }
        }

        private String field(String name, String otherwise) {
            return head.toString()
                    .lines()
                    .filter(l -> l.regionMatches(true, 0, name + ':', 0, name.length() + 1))
                    .map(l -> l.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse(otherwise);
        }

        private void begin(ChannelHandlerContext ctx, String[] plan) {
            if (plan.length < 3) {
                byte[] nothing = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
                ctx.writeAndFlush(Unpooled.wrappedBuffer(nothing));
                return;
            }
            ANSWERING.incrementAndGet();
            boolean flood = plan[0].equals("flood");
            answer = new ScriptedAnswer(Integer.parseInt(plan[1]), flood ? FLOOD_PADDING : 0);
            tokens = 0;
            write(ctx, ScriptedAnswer.HEAD);
            if (flood) {
                floodLeft = Long.parseLong(plan[2]);
                flood(ctx);
                return;
            }
            token(ctx);
            pauseMillis = Long.parseLong(plan[2]);
            if (plan[0].equals("slow")) {
                later(ctx);
            } else {
                finish(ctx);
            }
        }

        private void later(ChannelHandlerContext ctx) {
            ScriptedAnswer of = answer;
            ctx.executor()
                    .schedule(
                            () -> {
                                if (answer == of && ctx.channel().isActive()) {
                                    token(ctx);
                                    later(ctx);
                                }
                            },
                            pauseMillis,
                            TimeUnit.MILLISECONDS);
        }

        private void flood(ChannelHandlerContext ctx) {
            while (floodLeft > 0 && ctx.channel().isWritable()) {
                floodLeft -= token(ctx);
            }
            if (floodLeft <= 0 && answer != null) {
                finish(ctx);
            }
        }

        private int token(ChannelHandlerContext ctx) {
            byte[] token = answer.token(tokens++);
            write(ctx, token);
            return token.length;
        }

        private void finish(ChannelHandlerContext ctx) {
            write(ctx, answer.usage(tokens));
            write(ctx, ScriptedAnswer.LAST);
            ended();
        }

        private void ended() {
            answer = null;
            floodLeft = 0;
            ANSWERING.decrementAndGet();
        }

        private static void write(ChannelHandlerContext ctx, byte[] bytes) {
            ctx.writeAndFlush(Unpooled.wrappedBuffer(bytes)).addListener(written -> {
                if (written.isSuccess()) {
                    WRITTEN.addAndGet(bytes.length);
                }
            });
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (answer != null && floodLeft == 0) {
                finish(ctx);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (floodLeft > 0) {
                flood(ctx);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (answer != null) {
                ended();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close(); // the router has reset it
        }
    }
}
