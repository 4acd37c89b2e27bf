package dev.warmroute.router.proxy;

import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Watches a client that has ended its side of the connection while it is being answered. It may have gone, or have said all it
 * wants to say and still listen; both look the same until something is sent: the system of one that has gone answers with a
 * reset. Before the answer begins, an interim {@code 100 Continue} is sent to find out, which every HTTP/1.1 client passes
 * over, and again every second. An HTTP/1.0 client knows no interim answers: it is taken to listen until its answer begins, and
 * one that has gone shows by the reset that the answer's first bytes draw, so that its request is cancelled only then. In the
 * middle of an answer nothing can be sent without changing it: then a client that is sent nothing within
 * {@code limits.half_closed} has gone, and one that takes more of its answer is still there. Used on the client's event loop.
 */
final class HalfClosedClient implements Runnable {
    /** Linux's {@code TCP_CLOSE}: the connection was reset. */
    private static final int RESET = 7;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final byte[] INTERIM = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Loop loop;
    private final ClientConnection client;
    private final EpollSocketChannel channel;
    private final EpollTcpInfo info = new EpollTcpInfo();
    private final long proof;
    private final long endedAt;
    private final long sentBefore;
    private long pause = FIRST_PAUSE_NANOS;

    private HalfClosedClient(Loop loop, ClientConnection client, EpollSocketChannel channel) {
        this.loop = loop;
        this.client = client;
        this.channel = channel;
        this.proof = loop.shared().limits().halfClosed().toNanos();
        this.endedAt = loop.now();
        this.sentBefore = client.sent();
    }

    /** Closes the connection once the client has gone; ends by itself with the answer. */
    static void watch(Loop loop, ClientConnection client, EpollSocketChannel channel) {
        HalfClosedClient watch = new HalfClosedClient(loop, client, channel);
        watch.ask();
        watch.run();
    }

    private void ask() {
        if (client.mayBeSentInterim()) {
            client.write(client.buffer(INTERIM));
            client.flush();
        }
    }

    @Override
    public void run() {
        if (!channel.isOpen() || !client.answering()) {
            return;
        }
        long untilProof =
                client.answerBegun() && client.sent() == sentBefore ? proof - (loop.now() - endedAt) : Long.MAX_VALUE;
        if (channel.tcpInfo(info).state() == RESET || untilProof <= 0) {
            channel.close();
            return;
        }
        loop.executor().schedule(this, Math.min(pause, untilProof), TimeUnit.NANOSECONDS);
        pause *= 2;
        if (pause > LAST_PAUSE_NANOS) {
            ask();
            pause = FIRST_PAUSE_NANOS;
        }
    }
}
