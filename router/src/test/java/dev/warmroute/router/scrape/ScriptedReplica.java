package dev.warmroute.router.scrape;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with a page of metrics and a version, both as the test wants them. */
final class ScriptedReplica implements AutoCloseable {
    /** What stands on the page; for a status other than 200 the body of the answer. */
    volatile String page = "";

    volatile int status = 200;
    volatile int versionStatus = 200;
    volatile String version = "{\"version\":\"0.32.0\"}";

    /** While there is one, answers to /metrics wait for it. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    final AtomicInteger pages = new AtomicInteger();
    final AtomicInteger versions = new AtomicInteger();
    final AtomicInteger mostAtOnce = new AtomicInteger();
    final List<String> authorizations = new CopyOnWriteArrayList<>();

    private final AtomicInteger atOnce = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    ScriptedReplica() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/base/metrics", this::metrics);
        server.createContext("/base/version", exchange -> {
            versions.incrementAndGet();
            answer(exchange, versionStatus, version);
        });
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/base/");
    }

    /** Counters and gauges of one engine. */
    void says(double processStart, long promptTokens, int running) {
        page = """
                process_start_time_seconds %s
                vllm:prompt_tokens_total{engine="0",model_name="m"} %d
                vllm:num_requests_running{engine="0",model_name="m"} %d
                vllm:num_requests_waiting{engine="0",model_name="m"} 1
                vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.5
                """.formatted(processStart, promptTokens, running);
    }

    private void metrics(HttpExchange exchange) throws IOException {
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        try {
            pages.incrementAndGet();
            authorizations.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
            gate.await();
            answer(exchange, status, page);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            atOnce.decrementAndGet();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
