package dev.warmroute.router.warm;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.ControlEvent.WarmupFinished;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.warm.WarmState.Phase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A router with warm prompts in front of engines r0, r1 and so on, a client and an operator. */
final class WarmRouter implements AutoCloseable {
    static final ObjectMapper MAPPER = new ObjectMapper();
    static final long CAPACITY = 4_000;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final RouterServer server;

    private WarmRouter(RouterConfig config) {
        SignalsSource signals = new SignalsSource() {
            @Override
            public Signals signals(String replica, long nowNanos) {
                return Signals.NONE;
            }

            @Override
            public long capacityTokens(String replica) {
                return CAPACITY;
            }
        };
        server = RouterServer.start(
                config,
                RouterServices.of(
                                event -> {
                                    synchronized (events) {
                                        events.add(event.apply(new RouterIdentity("here", 1, events.size())));
                                    }
                                },
                                new Salt(new byte[32]))
                        .withSignals(signals)
                        .withEventLoops(1));
    }

    /** @param more further settings of {@code warm_prompts}, each with a comma before it */
    static WarmRouter start(Path directory, String prompts, String more, String policy, String... urls)
            throws IOException {
        Path file = Files.writeString(directory.resolve("agents.json"), prompts);
        StringBuilder yaml = new StringBuilder("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0', token: secret}\n");
        yaml.append("warm_prompts: {file: '")
                .append(file)
                .append('\'')
                .append(more)
                .append("}\n");
        yaml.append("models:\n  - name: m\n    policy: ").append(policy).append("\n    replicas:\n");
        for (int i = 0; i < urls.length; i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: '")
                    .append(urls[i])
                    .append("'}\n");
        }
        return new WarmRouter(RouterConfig.parse("test", yaml.toString()));
    }

    RouterServer server() {
        return server;
    }

    /** Waits until a replica has ended its n-th warm-up of all. */
    WarmUpResult awaitWarm(String replica, int n) {
        await().atMost(PATIENCE)
                .until(() -> all(WarmupFinished.class).stream()
                                .filter(e -> e.replica().equals(replica))
                                .count()
                        >= n);
        await().atMost(PATIENCE).until(() -> server.warmer().state(replica).phase() != Phase.WARMING);
        return server.warmer().state(replica).last().orElseThrow();
    }

    <E extends Event> List<E> all(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Cached tokens of a client's chat. */
    long cached(JsonNode chat) throws IOException, InterruptedException {
        ObjectNode request = ((ObjectNode) chat.deepCopy()).put("model", "m");
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/chat/completions"))
                        .POST(BodyPublishers.ofString(request.toString()))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return MAPPER.readTree(answer.body())
                .at("/usage/prompt_tokens_details/cached_tokens")
                .asLong(-1);
    }

    HttpResponse<String> operator(String method, String path) {
        return operatorLater(method, path).join();
    }

    CompletableFuture<HttpResponse<String>> operatorLater(String method, String path) {
        return http.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path))
                        .method(method, BodyPublishers.noBody())
                        .header("authorization", "Bearer secret")
                        .build(),
                BodyHandlers.ofString());
    }

    JsonNode status() throws IOException {
        return MAPPER.readTree(operator("GET", "/v1/status").body());
    }

    JsonNode clear() throws IOException {
        return MAPPER.readTree(operator("DELETE", "/v1/cache/prefix").body());
    }

    @Override
    public void close() {
        server.close("test", Duration.ofSeconds(1));
    }
}
