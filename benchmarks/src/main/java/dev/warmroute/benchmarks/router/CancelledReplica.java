package dev.warmroute.benchmarks.router;

import dev.warmroute.benchmarks.router.CancelTimes.Phase;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A replica whose answers never end, and which notes when the request behind a ticket is aborted. */
final class CancelledReplica implements AutoCloseable {
    /** Tokens of an answer that come at once. */
    static final int FIRST_TOKENS = 5;

    static final byte[] TOKEN = "d\r\ndata: {\"a\"}\n\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final long TOKEN_NANOS = 10_000_000;
    private static final AtomicLong NEXT = new AtomicLong();
    private static final Map<Long, Ticket> OPEN = new ConcurrentHashMap<>();

    /**
     * What is known of one request.
     *
     * @param arrived it has been read
     * @param gone when its connection was seen to end, {@link System#nanoTime}
     */
    record Ticket(long id, Phase phase, CompletableFuture<Void> arrived, CompletableFuture<Long> gone)
            implements AutoCloseable {
        @Override
        public void close() {
            OPEN.remove(id);
        }
    }

    private final ServerSocket server;

    CancelledReplica() throws IOException {
        server = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    static Ticket ticket(Phase phase) {
        Ticket ticket = new Ticket(NEXT.getAndIncrement(), phase, new CompletableFuture<>(), new CompletableFuture<>());
        OPEN.put(ticket.id, ticket);
        return ticket;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String head;
            while (!(head = head(in)).isEmpty()) {
                in.readNBytes(Integer.parseInt(field(head, "content-length", "0")));
                Ticket ticket = OPEN.get(Long.parseLong(field(head, "x-ticket", "-1")));
                if (ticket == null) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    continue;
                }
                begin(socket, ticket);
                ticket.gone.complete(end(in));
                return;
            }
        } catch (IOException e) {
            // the router has closed a connection that it does not need
        }
    }

    private static void begin(Socket socket, Ticket ticket) throws IOException {
        OutputStream out = socket.getOutputStream();
        if (ticket.phase.answers()) {
            out.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < FIRST_TOKENS; i++) {
                out.write(TOKEN);
            }
        }
        if (ticket.phase == Phase.MID_STREAM) {
            Thread.ofPlatform().daemon().start(() -> stream(out));
        }
        ticket.arrived.complete(null);
    }

    private static void stream(OutputStream out) {
        try {
            while (true) {
                LockSupport.parkNanos(TOKEN_NANOS);
                out.write(TOKEN);
            }
        } catch (IOException e) {
            // aborted, as it should be
        }
    }

    /** Waits for the end of a connection; returns when it was seen. */
    private static long end(InputStream in) {
        try {
            while (in.read() >= 0) {
                // nothing more is to come
            }
        } catch (IOException e) {
            // a reset ends it as well
        }
        return System.nanoTime();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.append((char) b);
        }
        return head.toString();
    }

    private static String field(String head, String name, String otherwise) {
        return head.lines()
                .filter(l -> l.regionMatches(true, 0, name + ':', 0, name.length() + 1))
                .map(l -> l.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(otherwise);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
