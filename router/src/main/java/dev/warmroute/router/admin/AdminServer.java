package dev.warmroute.router.admin;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.proxy.ProxyServer;
import dev.warmroute.router.warm.Warmer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The operator's side: health, status, metrics, panel and changes, on an address and threads of their own. */
public final class AdminServer implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;
    private static final int MAX_BODY = 64 << 10;

    private final Vertx vertx;
    private final HttpServer server;

    private AdminServer(Vertx vertx, HttpServer server) {
        this.vertx = vertx;
        this.server = server;
    }

    /**
     * Starts; when this returns, it answers.
     *
     * @param version of this router
     */
    public static AdminServer start(
            RouterConfig.Admin config, ProxyServer proxy, Warmer warmer, RouterServices services, String version) {
        AdminApi api = new AdminApi(proxy, warmer, services, config.token(), version);
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2));
        try {
            // A client that asks to go over to HTTP/2 stays with 1.1: in the change-over a first answer can get stuck.
            HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                    .requestHandler(request -> receive(vertx, api, request))
                    .listen(config.listen().port(), config.listen().host())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            return new AdminServer(vertx, server);
        } catch (CompletionException e) {
            vertx.close();
            throw new UserError(
                    "cannot listen at " + config.listen() + ": " + e.getCause().getMessage()
                            + "; choose another address for 'admin.listen'",
                    e.getCause());
        }
    }

    private static void receive(Vertx vertx, AdminApi api, HttpServerRequest request) {
        Buffer body = Buffer.buffer();
        request.handler(piece -> {
            if (body.length() <= MAX_BODY) {
                body.appendBuffer(piece);
            }
        });
        request.endHandler(end -> {
            if (body.length() > MAX_BODY) {
                send(request, new AdminRefusal(413, "the body has more than " + MAX_BODY + " bytes").answer());
                return;
            }
            AdminCall call = call(request, body.getBytes());
            // Not on the event loop: a new replica's name has to be looked up.
            vertx.executeBlocking(() -> api.answer(call), false)
                    .compose(answer -> Future.fromCompletionStage(answer, vertx.getOrCreateContext()))
                    .onSuccess(answer -> send(request, answer))
                    .onFailure(e -> request.response().reset());
        });
    }

    private static AdminCall call(HttpServerRequest request, byte[] body) {
        Map<String, String> query = new HashMap<>();
        request.params().forEach(e -> query.put(e.getKey(), e.getValue()));
        String authorization = request.getHeader("authorization");
        return new AdminCall(
                request.method().name(), request.path(), query, authorization == null ? "" : authorization, body);
    }

    private static void send(HttpServerRequest request, AdminAnswer answer) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        response.setStatusCode(answer.status()).putHeader("content-type", answer.contentType());
        answer.headers().forEach(response::putHeader);
        if (request.method().name().equals("HEAD")) {
            response.putHeader("content-length", Integer.toString(answer.body().length))
                    .end();
        } else {
            response.end(Buffer.buffer(answer.body()));
        }
    }

    public int port() {
        return server.actualPort();
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
