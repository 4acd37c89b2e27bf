package dev.warmroute.benchmarks.router;

import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Time from a client's leaving to the replica's seeing its request aborted, in each phase of a request and for both ways of
 * leaving: {@code CancelTimes [CANCELS [CLIENTS]]}, for each phase 500 and 4 at a time unless told otherwise.
 */
public final class CancelTimes {
    /** What the replica has done when the client leaves. */
    enum Phase {
        BEFORE_THE_FIRST_TOKEN(true),
        MID_STREAM(true),
        STALLED_STREAM(true),
        NOT_STREAMED(false);

        private final boolean stream;

        Phase(boolean stream) {
            this.stream = stream;
        }

        /** Whether the client waits for bytes of the answer before it leaves. */
        boolean answers() {
            return this == MID_STREAM || this == STALLED_STREAM;
        }
    }

    private CancelTimes() {}

    public static void main(String[] args) throws Exception {
        int cancels = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        int clients = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        boolean ok = true;
        try (CancelledReplica a = new CancelledReplica();
                CancelledReplica b = new CancelledReplica();
                RouterServer router = router(a, b)) {
            System.out.printf("%d cancels for each row, %d clients at a time; milliseconds%n%n", cancels, clients);
            System.out.println(
                    "| phase | client leaves by | p50 | p99 | max | in flight afterwards |\n|---|---|---|---|---|---|");
            for (boolean reset : new boolean[] {false, true}) {
                for (Phase phase : Phase.values()) {
                    measure(router, phase, reset, cancels / 5, clients); // not counted: the JVM compiles
                    double[] ms = measure(router, phase, reset, cancels, clients);
                    double p50 = ms[ms.length / 2];
                    double p99 = ms[(int) (ms.length * 0.99)];
                    int left = inFlight(router);
                    ok &= p50 <= 10 && p99 <= 50 && left == 0;
                    System.out.printf(
                            "| %s | %s | %.2f | %.2f | %.2f | %d |%n",
                            phase.name().toLowerCase().replace('_', ' '),
                            reset ? "reset" : "close",
                            p50,
                            p99,
                            ms[ms.length - 1],
                            left);
                }
            }
        }
        System.out.println(ok ? "\nevery median within 10 ms and every p99 within 50 ms" : "\nsomething took too long");
        System.exit(ok ? 0 : 3);
    }

    private static RouterServer router(CancelledReplica... replicas) {
        StringBuilder yaml =
                new StringBuilder("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\nmodels:\n  - name: m\n"
                        + "    policy: warden\n    replicas:\n");
        for (int i = 0; i < replicas.length; i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: 'http://127.0.0.1:")
                    .append(replicas[i].port())
                    .append("'}\n");
        }
        return RouterServer.start(
                RouterConfig.parse("cancel times", yaml.toString()),
                RouterServices.of(EventSink.NONE, new Salt(new byte[32])));
    }

    /** Sorted times in milliseconds. */
    private static double[] measure(RouterServer router, Phase phase, boolean reset, int cancels, int clients)
            throws Exception {
        List<Callable<double[]>> tasks = new ArrayList<>();
        for (int c = 0; c < clients; c++) {
            int n = cancels / clients + (c < cancels % clients ? 1 : 0);
            tasks.add(() -> {
                double[] ms = new double[n];
                for (int i = 0; i < n; i++) {
                    ms[i] = cancel(router.port(), phase, reset) / 1e6;
                }
                return ms;
            });
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
            List<Future<double[]>> results = pool.invokeAll(tasks);
            double[] all = new double[cancels];
            int at = 0;
            for (Future<double[]> result : results) {
                double[] part = result.get();
                System.arraycopy(part, 0, all, at, part.length);
                at += part.length;
            }
            Arrays.sort(all);
            return all;
        }
    }

    /** One request that is abandoned; nanoseconds from the client's leaving to the replica's seeing it. */
    private static long cancel(int port, Phase phase, boolean reset) throws Exception {
        try (CancelledReplica.Ticket ticket = CancelledReplica.ticket(phase);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(30_000);
            String body = "{\"model\":\"m\",\"stream\":" + phase.stream + "}";
            socket.getOutputStream()
                    .write(("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-ticket: " + ticket.id()
                                    + "\r\nx-session-id: s" + ticket.id() % 64 + "\r\ncontent-length: " + body.length()
                                    + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            ticket.arrived().get(30, TimeUnit.SECONDS);
            if (phase.answers()) {
                readWhatWasSent(socket.getInputStream());
            }
            long left = leave(socket, reset);
            return ticket.gone().get(30, TimeUnit.SECONDS) - left;
        }
    }

    private static long leave(Socket socket, boolean reset) throws IOException {
        if (reset) {
            socket.setSoLinger(true, 0);
        }
        long now = System.nanoTime();
        socket.close();
        return now;
    }

    /** Leaves nothing unread: the system of a client that closes with bytes unread resets the connection, which tells more. */
    private static void readWhatWasSent(InputStream in) throws IOException {
        int last4 = 0;
        while (last4 != 0x0d0a0d0a) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("the answer ended");
            }
            last4 = last4 << 8 | b;
        }
        in.readNBytes(CancelledReplica.FIRST_TOKENS * CancelledReplica.TOKEN.length);
    }

    /** Requests in flight, once they had a second to become none. */
    private static int inFlight(RouterServer router) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        int n;
        do {
            n = router.status().models().stream()
                    .flatMap(m -> m.replicas().stream())
                    .mapToInt(ReplicaRow::inFlight)
                    .sum();
            Thread.sleep(1);
        } while (n > 0 && System.nanoTime() < deadline);
        return n;
    }
}
