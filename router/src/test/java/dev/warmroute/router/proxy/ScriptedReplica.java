package dev.warmroute.router.proxy;

import static org.awaitility.Awaitility.await;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A replica on a plain socket that does exactly what its script says, byte by byte, and remembers what it was sent. */
final class ScriptedReplica implements AutoCloseable {
    /** Answers one request on its connection. */
    interface Script {
        void answer(Request request, Connection connection) throws IOException;
    }

    /** A request as it arrived. */
    record Request(String head, byte[] body, int connection) {
        String firstLine() {
            return head.substring(0, head.indexOf("\r\n"));
        }

        boolean hasHeader(String line) {
            return ("\r\n" + head).toLowerCase().contains("\r\n" + line.toLowerCase() + "\r\n");
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** What a script can do with its connection. */
    static final class Connection {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        private Connection(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        void send(String bytes) throws IOException {
            send(bytes.getBytes(StandardCharsets.UTF_8));
        }

        void send(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        void chunk(String content) throws IOException {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            send(Integer.toHexString(bytes.length) + "\r\n" + content + "\r\n");
        }

        void close() throws IOException {
            socket.close();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Waits until the other side has gone. */
        void awaitGone() throws IOException {
            try {
                while (in.read() >= 0) {
                    // something that was not asked for
                }
            } catch (SocketException e) {
                // reset: gone as well
            }
        }
    }

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** Those over which more came than the router's own questions. */
    private final Set<Socket> asked = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Thread acceptor;
    private volatile boolean closed;
    private volatile Script script;
    private volatile String models = "{\"data\":[]}";

    ScriptedReplica(Script script) {
        this(0, script);
    }

    ScriptedReplica(int port, Script script) {
        this(ServerSocketFactory.getDefault(), port, script);
    }

    ScriptedReplica(ServerSocketFactory sockets, int port, Script script) {
        this.script = script;
        try {
            server = sockets.createServerSocket(port, 256, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        acceptor = Thread.ofVirtual().start(this::accept);
    }

    /** A stream of two events, the second when it is told to go on. */
    static Script twoEvents(CountDownLatch goOn) {
        return (request, connection) -> {
            connection.send(STREAM_HEAD);
            connection.chunk("data: 1\n\n");
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            connection.chunk("data: 2\n\n");
            connection.send("0\r\n\r\n");
        };
    }

    /** A whole answer with a length. */
    static Script json(int status, String body) {
        return (request, connection) ->
                connection.send("HTTP/1.1 " + status + " X\r\ncontent-type: application/json\r\ncontent-length: "
                        + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    static final String STREAM_HEAD =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n";

    void script(Script next) {
        script = next;
    }

    /** What it tells the router's own question for its models. */
    ScriptedReplica models(String json) {
        models = json;
        return this;
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** The next request, health checks left out. */
    Request take() throws InterruptedException {
        Request request = requests.poll(10, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request arrived");
        }
        return request;
    }

    /** Waits until all connections over which requests came have ended. */
    void awaitNoConnections() {
        await().atMost(Duration.ofSeconds(10)).until(() -> asked.stream().allMatch(Socket::isClosed));
    }

    int requestsWaiting() {
        return requests.size();
    }

    List<Throwable> failures() {
        return failures;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                if (closed) { // one that came while the acceptor was being woken
                    socket.close();
                    return;
                }
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                int number = connections.getAndIncrement();
                Thread.ofVirtual().start(() -> serve(socket, number));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            Connection connection = new Connection(socket);
            while (!socket.isClosed()) {
                Request request = read(connection.in, number);
                if (request == null) {
                    return;
                }
                if (request.firstLine().startsWith("GET /health ")
                        || request.firstLine().startsWith("GET /version ")) {
                    connection.send("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                } else if (request.head.contains("Java-http-client")
                        && !request.firstLine().contains("/v1/responses/")) {
                    json(200, models).answer(request, connection);
                } else {
                    asked.add(socket);
                    requests.add(request);
                    script.answer(request, connection);
                }
            }
        } catch (SocketException e) {
            // the other side went away
        } catch (IOException | RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private static Request read(InputStream in, int number) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last4 = 0;
        while (last4 != 0x0d0a0d0a) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.write(b);
            last4 = last4 << 8 | b;
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        int length = text.lines()
                .filter(l -> l.toLowerCase().startsWith("content-length:"))
                .mapToInt(l -> Integer.parseInt(l.substring(15).strip()))
                .findFirst()
                .orElse(0);
        return new Request(text, in.readNBytes(length), number);
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
            acceptor.join(); // until then the system accepts connections: whoever is cut off below must find nobody
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
