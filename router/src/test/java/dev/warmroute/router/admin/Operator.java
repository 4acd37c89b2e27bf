package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.session.Salt;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A router with two models before replicas that are not there, and somebody who asks its operator's side. */
final class Operator implements AutoCloseable {
    static final String TOKEN = "s3cret-token";
    /** Path of the first model, whose name has to be encoded. */
    static final String MODEL = "/warmroute/models/m%20%22quoted%22";

    private static final String CONFIG = """
            listen: 127.0.0.1:0
            admin: {listen: '127.0.0.1:0', token: %s}
            prompt: {fingerprint: off}
            models:
              - name: m "quoted"
                max_num_seqs: 8
                replicas: [{id: r0, url: 'http://127.0.0.1:9', api_key: k3y}, {id: r1, url: 'http://127.0.0.1:9/x'}]
              - name: org/other
                policy: round_robin
                replicas: [{id: o0, url: 'http://127.0.0.1:9/y'}]
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final RouterServer router;

    /** @param token as in the configuration */
    Operator(String token) {
        RouterServices services = RouterServices.of(
                        event -> events.add(event.apply(new RouterIdentity("here", 1, events.size()))),
                        new Salt(new byte[32]))
                .withSignals((replica, now) -> replica.equals("r0") ? new Signals(3, 1, 0.5, 20) : Signals.NONE);
        router = RouterServer.start(RouterConfig.parse("f", CONFIG.formatted(token)), services);
    }

    int adminPort() {
        return router.adminPort();
    }

    /** Everything that was published. */
    List<Event> events() {
        return events;
    }

    HttpResponse<String> send(String method, String path, String authorization, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!authorization.isEmpty()) {
            request.header("authorization", authorization);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, "", "");
    }

    /** Sends with the right token. */
    HttpResponse<String> change(String method, String path, String body) throws Exception {
        return send(method, path, "Bearer " + TOKEN, body);
    }

    static JsonNode json(HttpResponse<String> answer) throws Exception {
        return new ObjectMapper().readTree(answer.body());
    }

    /** The first model in the status. */
    JsonNode model() throws Exception {
        return json(get("/warmroute/status")).path("models").path(0);
    }

    @Override
    public void close() {
        router.close();
    }
}
