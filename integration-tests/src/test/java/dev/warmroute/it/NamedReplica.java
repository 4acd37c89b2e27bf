package dev.warmroute.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A replica that answers with its name; a streamed answer says so and then goes on until the replica is closed. */
final class NamedReplica implements AutoCloseable {
    private final String name;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);

    NamedReplica(String name) {
        this.name = name;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/v1/chat/completions", this::complete);
        server.createContext("/", exchange -> answer(exchange, ""));
        server.start();
    }

    String name() {
        return name;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void complete(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (!body.contains("\"stream\":true")) {
            answer(exchange, "{\"id\":\"" + name + "\",\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":1}}");
            return;
        }
        exchange.getResponseHeaders().add("content-type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(("data: {\"id\":\"" + name + "\"}\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("content-type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.close();
    }
}
