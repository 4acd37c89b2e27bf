package dev.warmroute.router.admin;

import dev.warmroute.router.UserError;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.proxy.ProxyStatus;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Answers {@code /health}, {@code /ready}, {@code /metrics} and {@code /warmroute/status}. */
public final class AdminServer implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final Vertx vertx;
    private final HttpServer server;

    private AdminServer(Vertx vertx, HttpServer server) {
        this.vertx = vertx;
        this.server = server;
    }

    /** Starts; when this returns, it answers. */
    public static AdminServer start(Address address, Supplier<ProxyStatus> status) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        try {
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(request -> answer(request, status))
                    .listen(address.port(), address.host())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            return new AdminServer(vertx, server);
        } catch (CompletionException e) {
            vertx.close();
            throw new UserError(
                    "cannot listen at " + address + ": " + e.getCause().getMessage()
                            + "; choose another address for 'admin.listen'",
                    e.getCause());
        }
    }

    private static void answer(HttpServerRequest request, Supplier<ProxyStatus> status) {
        switch (request.path()) {
            case "/health" -> text(request, 200, "ok\n");
            case "/ready" -> {
                boolean ready = status.get().ready();
                text(request, ready ? 200 : 503, ready ? "ready\n" : "a model has no replica that may be chosen\n");
            }
            case "/metrics" -> request.response()
                    .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                    .end(PrometheusPage.of(status.get()));
            case "/warmroute/status" -> request.response()
                    .putHeader("content-type", "application/json")
                    .end(StatusJson.of(status.get()).toString());
            default -> text(request, 404, "there is /health, /ready, /metrics and /warmroute/status\n");
        }
    }

    private static void text(HttpServerRequest request, int status, String body) {
        request.response().setStatusCode(status).putHeader("content-type", "text/plain; charset=utf-8").end(body);
    }

    public int port() {
        return server.actualPort();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS).join();
    }
}
