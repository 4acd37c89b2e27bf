package dev.warmroute.benchmarks.streams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.benchmarks.router.Broker;
import dev.warmroute.benchmarks.streams.Watched.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Thousands of slow streams through one router: {@code StreamsDrill [STREAMS [OPTIONS [PORT]]]}, 10,000 of them through a router
 * with {@code -Xmx1g} unless told otherwise; ports from PORT (18080) on. Router, broker and replicas are processes of their own.
 * Where the limit of open files does not allow so many, as many as it does.
 *
 * <ol>
 *   <li>A quarter, half and all of them, each with a token every five seconds: what the router takes, and how soon it answers
 *       others meanwhile.
 *   <li>All end: each must have had all its bytes.
 *   <li>As many again, who all leave at once.
 *   <li>Readers that stop after the first bytes of 32 MB each, and then read on.
 * </ol>
 */
public final class StreamsDrill {
    private static final int TOKEN_MILLIS = 5_000;
    private static final int REPLICAS = 4;
    private static final int ORDINARY = 200;
    private static final int STOPPED_READERS = 100;
    private static final long STOPPED_BYTES = 32_000_000;
    /** Files that the router keeps back for other things than streams, and those of the requests that look at it meanwhile. */
    private static final int SPARE_FILES = 256 + 64;

    private final RouterUnderTest router;
    private final Program replicas;
    private final StreamClients clients;
    private final int port;

    private StreamsDrill(RouterUnderTest router, Program replicas, StreamClients clients, int port) {
        this.router = router;
        this.replicas = replicas;
        this.clients = clients;
        this.port = port;
    }

    public static void main(String[] args) throws Exception {
        int wanted = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        String options = args.length > 1 ? args[1] : "-Xmx1g";
        int port = args.length > 2 ? Integer.parseInt(args[2]) : 18_080;
        Path directory = Files.createTempDirectory("streams-drill");
        List<Integer> ports =
                IntStream.range(0, REPLICAS).mapToObj(i -> port + 2 + i).toList();
        try (Program broker = Program.java(
                        directory.resolve("broker.log"),
                        "512m",
                        Broker.class,
                        directory.resolve("broker").toString());
                Program replicas = Program.java(
                        directory.resolve("replicas.log"),
                        "1g",
                        SlowReplica.class,
                        ports.stream().map(String::valueOf).toArray(String[]::new))) {
            replicas.lineThatBegins("ready");
            String bootstrap = broker.lineThatBegins("127.0.0.1");
            try (RouterUnderTest router = new RouterUnderTest(
                            directory, port, "    max_num_seqs: 4096\n", bootstrap, ports, options);
                    StreamClients clients = new StreamClients(port)) {
                new StreamsDrill(router, replicas, clients, port).run(wanted, options);
            }
        }
        System.out.println("logs: " + directory);
    }

    private void run(int wanted, String options) throws Exception {
        say(
                "router with %s, %d replicas, a token every %d ms; limit of open files %,d%n",
                options, REPLICAS, TOKEN_MILLIS, router.watched().mayOpen());
        ordinary(2_000); // the JVM compiles
        say("| streams | live heap MiB | resident MiB | most MiB | threads | files | processor | first byte of"
                + " others ms p50 / p99 / max | status, metrics ms |");
        say("|---|---|---|---|---|---|---|---|---|");
        Figures idle = row();
        int all = (int) Math.min(wanted, (router.watched().mayOpen() - idle.files() - SPARE_FILES) / 2);
        Figures most = idle;
        for (int streams : new int[] {all / 4, all / 2, all}) {
            clients.open(streams - clients.open(), "slow", TOKEN_MILLIS, true);
            Waiting.pause(2 * TOKEN_MILLIS);
            most = row();
        }
        if (all < wanted) {
            say("%n%,d streams would need %,d files", wanted, 2 * wanted + idle.files() + SPARE_FILES);
        }
        say(
                "%nof each stream: %.1f KiB of heap, %.1f KiB of resident memory",
                (most.liveBytes() - idle.liveBytes()) / 1024.0 / all,
                (most.residentKib() - idle.residentKib()) / (double) all);
        finish(all);
        leave(all);
        stopReading();
    }

    private void finish(int all) {
        int wholeBefore = clients.whole.get();
        replicas.ask("finish");
        Waiting.until("streams to end", 120, () -> clients.open() == 0);
        Waiting.until("nothing to be in flight", 60, () -> router.inFlight() == 0);
        say(
                "ended: %,d of %,d streams had every byte, %,d failed, in flight %d; %s",
                clients.whole.get() - wholeBefore, all, clients.failed.get(), router.inFlight(), totals());
    }

    private void leave(int all) throws InterruptedException {
        long began = System.nanoTime();
        clients.open(all, "slow", TOKEN_MILLIS, true);
        double openSeconds = (System.nanoTime() - began) / 1e9;
        int inFlight = router.inFlight();
        clients.leave();
        double routerMillis = Waiting.until("nothing to be in flight", 60, () -> router.inFlight() == 0);
        double replicasMillis = Waiting.until(
                "the replicas to notice", 60, () -> replicas.ask("count").startsWith("0 "));
        say(
                "left: %,d streams opened in %.1f s (in flight %,d), all left at once; in flight 0 after %.0f ms, at"
                        + " the replicas after %.0f ms; %s",
                all, openSeconds, inFlight, routerMillis, routerMillis + replicasMillis, totals());
    }

    private void stopReading() throws InterruptedException {
        Figures before = router.watched().figures();
        long sentBefore = written();
        long receivedBefore = clients.received.get();
        int wholeBefore = clients.whole.get();
        clients.open(STOPPED_READERS, "flood", STOPPED_BYTES, false);
        long[] sent = {-1};
        Waiting.until("replicas to be held back", 120, () -> {
            Waiting.pause(1_000);
            long now = written();
            boolean still = now == sent[0];
            sent[0] = now;
            return still;
        });
        Figures during = router.watched().figures();
        say(
                "stopped: %d readers stop at the head of %,d bytes each: of %,d MB the replicas could send %,d MB, the"
                        + " rest waits there; %.1f MB are in the systems' buffers (TCP memory %,d MiB) and the router,"
                        + " whose resident memory grew by %.1f MiB and its live heap by %.1f MiB",
                STOPPED_READERS,
                STOPPED_BYTES,
                STOPPED_READERS * STOPPED_BYTES / 1_000_000,
                (sent[0] - sentBefore) / 1_000_000,
                (sent[0] - sentBefore - clients.received.get() + receivedBefore) / 1e6,
                tcpMemoryMib(),
                (during.residentKib() - before.residentKib()) / 1024.0,
                (during.liveBytes() - before.liveBytes()) / 1048576.0);
        clients.read();
        Waiting.until("the readers to have everything", 300, () -> clients.open() == 0);
        Waiting.until("nothing to be in flight", 60, () -> router.inFlight() == 0);
        say(
                "read on: %d of %d had every byte, %d failed in all; %s",
                clients.whole.get() - wholeBefore, STOPPED_READERS, clients.failed.get(), totals());
    }

    private long written() {
        return Long.parseLong(replicas.ask("count").split(" ")[1]);
    }

    private static long tcpMemoryMib() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/sockstat"))) {
            String tcp = lines.filter(l -> l.startsWith("TCP:")).findFirst().orElseThrow();
            return Long.parseLong(tcp.substring(tcp.indexOf("mem ") + 4).strip()) * 4096 >> 20;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String totals() {
        JsonNode totals = router.status().path("totals");
        return "the router's totals: " + totals;
    }

    private Figures row() throws IOException {
        int streams = clients.open();
        double processorBefore = router.watched().processorSeconds();
        long began = System.nanoTime();
        Waiting.pause(TOKEN_MILLIS);
        double processor =
                (router.watched().processorSeconds() - processorBefore) / ((System.nanoTime() - began) / 1e9);
        double[] others = ordinary(ORDINARY);
        double statusMillis = millis(() -> router.get("/warmroute/status"));
        double metricsMillis = millis(() -> router.get("/metrics"));
        Figures f = router.watched().figures();
        say(
                "| %,d | %.1f | %.1f | %.1f | %d | %,d | %.1f %% | %.1f / %.1f / %.1f | %.1f, %.1f |",
                streams,
                f.liveBytes() / 1048576.0,
                f.residentKib() / 1024.0,
                f.peakKib() / 1024.0,
                f.threads(),
                f.files(),
                100 * processor,
                others[others.length / 2],
                others[(int) (others.length * 0.99)],
                others[others.length - 1],
                statusMillis,
                metricsMillis);
        return f;
    }

    private static double millis(Runnable what) {
        what.run();
        long began = System.nanoTime();
        what.run();
        return (System.nanoTime() - began) / 1e6;
    }

    /** Sorted milliseconds to the first byte of ordinary requests, one after the other, each on a connection of its own. */
    private double[] ordinary(int requests) throws IOException {
        String body = "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
        double[] millis = new double[requests];
        for (int i = 0; i < requests; i++) {
            long began = System.nanoTime();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(30_000);
                socket.getOutputStream()
                        .write(("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-session-id: ordinary-" + i % 64
                                        + "\r\nx-plan: quick 1 0\r\nconnection: close\r\ncontent-length: "
                                        + body.length()
                                        + "\r\n\r\n" + body)
                                .getBytes(StandardCharsets.US_ASCII));
                InputStream in = socket.getInputStream();
                if (in.read() < 0) {
                    throw new IOException("an ordinary request was not answered");
                }
                millis[i] = (System.nanoTime() - began) / 1e6;
                in.readAllBytes();
            }
        }
        Arrays.sort(millis);
        return millis;
    }

    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
