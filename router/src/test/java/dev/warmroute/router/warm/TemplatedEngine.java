package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A server with vLLM's paths, a chat template of the test's own and a prefix cache of blocks. A character is a token, but a run
 * of line ends is one.
 */
final class TemplatedEngine implements AutoCloseable {
    static final int BLOCK = 8;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long LINE_ENDS = 1_000_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Function<JsonNode, String> template;
    private final Set<List<Long>> cache = new HashSet<>();
    private final AtomicInteger warming = new AtomicInteger();
    private final AtomicInteger mostWarming = new AtomicInteger();
    private final List<List<Long>> warmed = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Gate gate = new Gate(true);
    private volatile Gate resetGate = new Gate(true);
    volatile boolean renders = true;
    volatile boolean resets = true;
    volatile boolean healthy = true;
    volatile boolean busyWhileWarming;
    /** What a clear is answered with, when not as vLLM does. */
    volatile Optional<String> resetSays = Optional.empty();
    /** Whether a clear is done, but the connection closed before the answer. */
    volatile boolean resetBreaks;

    /** Holds requests until it is opened. */
    private static final class Gate {
        private boolean open;

        private Gate(boolean open) {
            this.open = open;
        }

        private synchronized void open() {
            open = true;
            notifyAll();
        }

        private synchronized void pass() throws InterruptedException {
            while (!open) {
                wait();
            }
        }
    }

    /** @param template from the body of a chat request to its text */
    TemplatedEngine(Function<JsonNode, String> template) {
        this.template = template;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on completions of token ids wait. */
    void holdCompletions() {
        gate = new Gate(false);
    }

    /** From now on clears wait. */
    void holdResets() {
        resetGate = new Gate(false);
    }

    void release() {
        gate.open();
        resetGate.open();
    }

    /** Completions of token ids that are under way. */
    int warming() {
        return warming.get();
    }

    int mostWarming() {
        return mostWarming.get();
    }

    /** Token ids of every completion so far. */
    List<List<Long>> warmed() {
        return List.copyOf(warmed);
    }

    /** Paths that were asked for, health and the like left out. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    /** Loses its cache, as an engine that is started again. */
    synchronized void forget() {
        cache.clear();
    }

    List<Long> tokens(JsonNode chat) {
        return tokens(template.apply(chat));
    }

    private static List<Long> tokens(String text) {
        List<Long> ids = new CopyOnWriteArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            int run = i;
            while (run < text.length() && text.charAt(run) == '\n') {
                run++;
            }
            ids.add(run > i ? LINE_ENDS + run - i : text.charAt(i));
            i = Math.max(i, run - 1);
        }
        return List.copyOf(ids);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            if (exchange.getRequestMethod().equals("GET")) {
                answer(exchange, healthy ? 200 : 503, "{}");
                return;
            }
            asked.add(path);
            JsonNode request = body.length == 0 ? MAPPER.createObjectNode() : MAPPER.readTree(body);
            switch (path) {
                case "/tokenize" -> tokenize(exchange, request);
                case "/v1/completions" -> complete(exchange, request);
                case "/v1/chat/completions" -> answer(exchange, 200, usage(tokens(request)));
                case "/reset_prefix_cache" -> reset(exchange);
                default -> answer(exchange, 404, "{}");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private void tokenize(HttpExchange exchange, JsonNode request) throws IOException {
        if (!renders) {
            answer(exchange, 404, "{\"detail\":\"Not Found\"}");
            return;
        }
        ObjectNode out = MAPPER.createObjectNode().put("max_model_len", 5_000);
        ArrayNode ids = out.putArray("tokens");
        tokens(request).forEach(ids::add);
        answer(exchange, 200, out.toString());
    }

    private void complete(HttpExchange exchange, JsonNode request) throws IOException, InterruptedException {
        int now = warming.incrementAndGet();
        try {
            mostWarming.accumulateAndGet(now, Math::max);
            gate.pass();
            List<Long> ids = new CopyOnWriteArrayList<>();
            request.get("prompt").forEach(id -> ids.add(id.longValue()));
            String usage = usage(ids);
            warmed.add(List.copyOf(ids));
            answer(exchange, 200, usage);
        } finally {
            warming.decrementAndGet();
        }
    }

    /** As vLLM: full blocks are found from the left on, and at least one token is computed. */
    private synchronized String usage(List<Long> ids) {
        int found = 0;
        while ((found + 1) * BLOCK < ids.size() && cache.contains(ids.subList(0, (found + 1) * BLOCK))) {
            found++;
        }
        for (int block = 1; block * BLOCK <= ids.size(); block++) {
            cache.add(List.copyOf(ids.subList(0, block * BLOCK)));
        }
        return "{\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":%d}}}"
                .formatted(ids.size(), found * BLOCK);
    }

    private void reset(HttpExchange exchange) throws IOException, InterruptedException {
        if (!resets) {
            answer(exchange, 404, "{\"detail\":\"Not Found\"}");
            return;
        }
        if (busyWhileWarming && warming.get() > 0) {
            answer(exchange, 200, "{\"success\":false}");
            return;
        }
        resetGate.pass();
        forget();
        if (!resetBreaks) {
            answer(exchange, 200, resetSays.orElse("{\"success\":true}"));
        }
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("content-type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
