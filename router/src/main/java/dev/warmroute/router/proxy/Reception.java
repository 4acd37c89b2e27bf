package dev.warmroute.router.proxy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.proxy.http.RequestHead;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Looks at a request that has been read whole, and has it answered here, passed on, or routed. */
final class Reception {
    private static final String MODELS = "/v1/models";

    /** Where clients look whether anybody is there before they begin. */
    private static final Set<String> PROBED = Set.of("/", "/api/hello");

    private final Loop loop;
    private final Models models;

    Reception(Loop loop) {
        this.loop = loop;
        this.models = loop.shared().models();
    }

    /** @param body owned by this call */
    void receive(ClientConnection client, RequestHead head, RequestFacts facts, ByteBuf body, long arrivedAt) {
        String path = head.path();
        Dialect dialect = Dialect.of(head);
        if (Paths.isControl(path)) {
            body.release();
            reject(client, dialect, 403, "what is at " + path + " is not for clients; ask the replica itself", head);
            return;
        }
        String response = StoredResponses.idIn(path);
        if (!response.isEmpty()) {
            withHolder(
                    client,
                    head,
                    body,
                    response,
                    holder -> client.serve(
                            new Exchange(loop, client, head, body, models.first(), Optional.empty(), dialect, holder)));
            return;
        }
        switch (head.method()) {
            case "GET", "HEAD", "OPTIONS" -> {
                Optional<Runnable> here = answerHere(client, head, path);
                if (here.isPresent()) {
                    body.release(); // first, whatever becomes of the answer
                    here.get().run();
                } else {
                    client.serve(new Exchange(
                            loop, client, head, body, models.first(), Optional.empty(), dialect, Optional.empty()));
                }
            }
            case "CONNECT", "TRACE" -> {
                body.release();
                reject(client, dialect, 405, "method " + head.method() + " is not served here", head);
            }
            default -> route(client, head, facts, body, arrivedAt, path, dialect);
        }
    }

    /** Goes on with the replica that holds a response, which may have to be asked for. */
    private void withHolder(
            ClientConnection client,
            RequestHead head,
            ByteBuf body,
            String response,
            Consumer<Optional<Replica>> then) {
        Optional<Replica> holder = loop.shared().responses().holder(response);
        if (holder.isPresent() || models.replicas() < 2) {
            then.accept(holder);
            return;
        }
        loop.shared()
                .finder()
                .find(response, head.first("authorization"))
                .thenAccept(found -> loop.executor().execute(() -> {
                    if (client.present()) {
                        then.accept(found);
                    } else {
                        body.release();
                    }
                }));
    }

    private void route(
            ClientConnection client,
            RequestHead head,
            RequestFacts facts,
            ByteBuf body,
            long arrivedAt,
            String path,
            Dialect dialect) {
        String model = facts.model();
        Optional<ModelRoute> found =
                model.isEmpty() && Paths.isInference(path) ? Optional.of(models.first()) : models.named(model);
        if (found.isEmpty()) {
            body.release();
            reject(client, dialect, 404, nothingThere(model, path), head);
            return;
        }
        ModelRoute route = found.get();
        DataParallelRank pinned = DataParallelRank.of(head, route.seats(), dialect);
        if (!pinned.problem().isEmpty()) {
            body.release();
            reject(client, dialect, pinned.status(), pinned.problem(), head);
            return;
        }
        String previous = path.equals(Paths.RESPONSES) ? facts.previousResponse() : "";
        Told told = told(head, facts, body, arrivedAt, route, path, dialect);
        Consumer<Optional<Replica>> serve =
                to -> client.serve(new Exchange(loop, client, head, body, route, Optional.of(told), dialect, to));
        if (previous.isEmpty() || pinned.replica().isPresent()) {
            serve.accept(pinned.replica());
        } else {
            withHolder(client, head, body, previous, holder -> serve.accept(holder.filter(route::serves)));
        }
    }

    private Told told(
            RequestHead head,
            RequestFacts facts,
            ByteBuf body,
            long arrivedAt,
            ModelRoute route,
            String path,
            Dialect dialect) {
        Session session = loop.shared()
                .sessions()
                .resolve(head, facts.spoken(body, loop.shared().fingerprints()), Paths.isSideCall(path));
        return new Told(
                loop.shared().ids(),
                loop.shared().clock(),
                loop.shared().ids().next(),
                arrivedAt,
                session,
                route.name(),
                dialect,
                facts.stream(),
                body.readableBytes());
    }

    /** Refuses a request that is not accepted, and so is told of in no event. */
    private void reject(ClientConnection client, Dialect dialect, int status, String message, RequestHead head) {
        loop.shared().totals().malformedRequest();
        client.refuse(dialect, status, message, head);
    }

    private String nothingThere(String model, String path) {
        String valid = String.join(", ", models.names());
        return model.isEmpty()
                ? "there is nothing at " + path + "; requests must name a model: " + valid
                : "the model '" + model + "' does not exist; valid models: " + valid;
    }

    /** What is answered here: the list of models, which must not depend on one replica; health, probes, a hint to the metrics. */
    private Optional<Runnable> answerHere(ClientConnection client, RequestHead head, String path) {
        if (path.equals(MODELS)) {
            return Optional.of(() -> json(client, head, models.list()));
        }
        if (path.startsWith(MODELS + "/")) {
            return Optional.of(() -> describe(client, head, path));
        }
        if (path.equals("/health")) {
            return Optional.of(() -> {
                boolean up = models.all().stream()
                        .allMatch(m -> m.anyUp(loop.now(), Optional.empty()).isPresent());
                answer(client, head, up ? 200 : 503, "text/plain", new byte[0]);
            });
        }
        if (head.method().equals("HEAD") && PROBED.contains(path)) {
            return Optional.of(() -> answer(client, head, 200, "text/plain", new byte[0]));
        }
        if (path.equals("/metrics")) {
            return Optional.of(
                    () -> client.refuse(Dialect.of(head), 404, "the router's metrics are at its admin address", head));
        }
        return Optional.empty();
    }

    private void describe(ClientConnection client, RequestHead head, String path) {
        String name = path.substring(MODELS.length() + 1);
        models.describe(Paths.decoded(name))
                .ifPresentOrElse(
                        card -> json(client, head, card),
                        () -> client.refuse(Dialect.of(head), 404, nothingThere(name, path), head));
    }

    private static void json(ClientConnection client, RequestHead head, JsonNode body) {
        answer(client, head, 200, "application/json", body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(ClientConnection client, RequestHead head, int status, String type, byte[] body) {
        boolean keepAlive = head.keepAlive();
        client.answer(
                Answering.answer(
                        client.alloc(),
                        status,
                        type,
                        body,
                        "",
                        keepAlive,
                        head.method().equals("HEAD")),
                keepAlive);
    }
}
