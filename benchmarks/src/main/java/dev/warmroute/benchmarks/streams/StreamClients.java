package dev.warmroute.benchmarks.streams;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/** Clients that each hold one stream open, and check every byte of it. */
final class StreamClients implements AutoCloseable {
    private static final int CONNECTING_AT_A_TIME = 256;
    private static final String PROMPT = "word ".repeat(200);

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final InetSocketAddress router;
    private final Map<Channel, Stream> open = new ConcurrentHashMap<>();
    private final Semaphore beginning = new Semaphore(CONNECTING_AT_A_TIME);
    private final AtomicInteger tickets = new AtomicInteger();
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger whole = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicLong received = new AtomicLong();

    StreamClients(int port) {
        router = new InetSocketAddress("127.0.0.1", port);
    }

    int open() {
        return open.size();
    }

    /**
     * Opens streams, and waits until each has had its first byte.
     *
     * @param plan kind of the answer
     * @param amount milliseconds between two tokens, or bytes
     * @param reads whether they read what comes after the head
     */
    void open(int streams, String plan, long amount, boolean reads) throws InterruptedException {
        int before = begun.get() + failed.get();
        for (int i = 0; i < streams; i++) {
            beginning.acquire();
            Stream stream = new Stream(plan, amount, tickets.getAndIncrement(), reads);
            new Bootstrap()
                    .group(loops)
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 60_000)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            channel.pipeline().addLast(stream);
                        }
                    })
                    .connect(router)
                    .addListener(connected -> {
                        if (!connected.isSuccess()) {
                            stream.begins();
                            failed.incrementAndGet();
                        }
                    });
        }
        Waiting.until("streams to begin", 120, () -> begun.get() + failed.get() - before >= streams);
    }

    /** Lets those read on that did not. */
    void read() {
        open.keySet().forEach(channel -> channel.config().setAutoRead(true));
    }

    /** All leave at once, every other one by a reset. */
    void leave() {
        int n = 0;
        for (Map.Entry<Channel, Stream> each : open.entrySet()) {
            each.getValue().left = true;
            if (n++ % 2 == 0) {
                each.getKey().config().setOption(ChannelOption.SO_LINGER, 0);
            }
            each.getKey().close();
        }
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private final class Stream extends ChannelInboundHandlerAdapter {
        private final String plan;
        private final long amount;
        private final int ticket;
        private final boolean reads;
        private final CRC32 checksum = new CRC32();
        private final StringBuilder tail = new StringBuilder();
        private long length;
        private boolean hasBegun;
        private boolean ended;
        private volatile boolean left;

        Stream(String plan, long amount, int ticket, boolean reads) {
            this.plan = plan;
            this.amount = amount;
            this.ticket = ticket;
            this.reads = reads;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            open.put(ctx.channel(), this);
            String body = "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"" + ticket
                    + ' ' + PROMPT + "\"}]}";
            String request = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-session-id: stream-" + ticket
                    + "\r\nx-plan: " + plan + ' ' + ticket + ' ' + amount + "\r\ncontent-length: " + body.length()
                    + "\r\n\r\n" + body;
            ctx.writeAndFlush(Unpooled.wrappedBuffer(request.getBytes(StandardCharsets.US_ASCII)));
        }

        private void begins() {
            if (!hasBegun) {
                hasBegun = true;
                beginning.release();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf piece = (ByteBuf) message;
            int n = piece.readableBytes();
            length += n;
            received.addAndGet(n);
            checksum.update(piece.nioBuffer());
            int kept = Math.min(n, ScriptedAnswer.LAST.length);
            tail.append(piece.toString(piece.writerIndex() - kept, kept, StandardCharsets.US_ASCII));
            tail.delete(0, Math.max(0, tail.length() - ScriptedAnswer.LAST.length));
            piece.release();
            if (!hasBegun) {
                begins();
                begun.incrementAndGet();
                if (!reads) {
                    ctx.channel().config().setAutoRead(false);
                }
            }
            if (tail.toString().equals(new String(ScriptedAnswer.LAST, StandardCharsets.US_ASCII))) {
                ended = true;
                boolean right = new ScriptedAnswer(ticket, plan.equals("flood") ? SlowReplica.FLOOD_PADDING : 0)
                        .is(length, checksum.getValue());
                (right ? whole : failed).incrementAndGet();
                ctx.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            open.remove(ctx.channel());
            begins();
            if (!ended && !left) {
                failed.incrementAndGet();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
