package dev.warmroute.simulator.load;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A run under way: the clock, the connections, and what the sessions report. All of it lives on one event loop. */
final class AgentRun {
    private static final int LONGEST_SILENCE_SECONDS = 300;
    /** Shorter than the 5 seconds after which vLLM closes an idle connection. */
    private static final int KEEP_ALIVE_SECONDS = 4;

    private static final int CONNECT_MILLIS = 5_000;

    private final AgentLoadOptions options;
    private final Consumer<RequestOutcome> each;
    private final Vertx vertx;
    private final HttpClient client;
    private final RequestOptions target;
    private final String systemText;
    private final List<AgentSession> sessions = new ArrayList<>();
    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final List<Long> sessionNanos = new ArrayList<>();
    private final CompletableFuture<AgentLoadResult> result = new CompletableFuture<>();
    private Context context;
    private long originNanos;
    private int failedSessions;
    private boolean stopping;

    AgentRun(Vertx vertx, AgentLoadOptions options, Consumer<RequestOutcome> each) {
        this.vertx = vertx;
        this.options = options;
        this.each = each;
        this.systemText = SessionScript.systemText(options);
        URI uri = URI.create(options.endpoint());
        boolean tls = uri.getScheme().equalsIgnoreCase("https");
        String path = uri.getRawPath() == null
                ? ""
                : uri.getRawPath().replaceAll("/+$", "").replaceAll("/v1$", "");
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setTcpNoDelay(true)
                        .setConnectTimeout(CONNECT_MILLIS)
                        .setReadIdleTimeout(LONGEST_SILENCE_SECONDS)
                        .setIdleTimeoutUnit(TimeUnit.SECONDS)
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS),
                new PoolOptions().setHttp1MaxSize(options.sessions()));
        this.target = new RequestOptions()
                .setHost(uri.getHost())
                .setPort(uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80)
                .setSsl(tls)
                .setURI(path + "/v1/chat/completions")
                .setMethod(HttpMethod.POST);
    }

    /** Starts the sessions; the result comes when the last request has ended. */
    CompletableFuture<AgentLoadResult> start() {
        vertx.exceptionHandler(result::completeExceptionally);
        context = vertx.getOrCreateContext();
        context.runOnContext(run -> {
            originNanos = System.nanoTime();
            for (int slot = 0; slot < options.sessions(); slot++) {
                AgentSession session = new AgentSession(this, options, slot);
                sessions.add(session);
                session.start();
            }
            timer(options.wallNanos(options.seconds()), this::stop);
        });
        return result;
    }

    /** Time since the start, in nanoseconds of the wall clock. */
    long now() {
        return System.nanoTime() - originNanos;
    }

    String systemText() {
        return systemText;
    }

    /** Runs something after a model time, unless no more turns are to be started by then. */
    void after(double modelSeconds, Runnable action) {
        timer(options.wallNanos(modelSeconds), () -> {
            if (!stopping) {
                action.run();
            }
        });
    }

    /** Sends a request; {@code started} hears of it as soon as it can be reset. */
    Future<HttpClientResponse> post(String session, Handler<HttpClientRequest> started, Buffer body) {
        return client.request(target).compose(request -> {
            started.handle(request);
            request.putHeader("content-type", "application/json").putHeader(options.sessionHeader(), session);
            if (!options.apiKey().isEmpty()) {
                request.putHeader("authorization", "Bearer " + options.apiKey());
            }
            return request.send(body);
        });
    }

    void ended(RequestOutcome outcome) {
        outcomes.add(outcome);
        context.runOnContext(run -> finishIfIdle());
        each.accept(outcome);
    }

    void sessionFinished(long nanos) {
        sessionNanos.add(nanos);
    }

    void sessionFailed() {
        failedSessions++;
    }

    private void stop() {
        stopping = true;
        finishIfIdle();
        timer(options.wallNanos(options.drainSeconds()), () -> sessions.forEach(AgentSession::cutOff));
    }

    private void finishIfIdle() {
        boolean over = stopping || sessions.stream().allMatch(AgentSession::done);
        if (!over || result.isDone() || sessions.stream().anyMatch(AgentSession::waiting)) {
            return;
        }
        stopping = true;
        long end = now();
        double seconds = Math.min(options.seconds(), end * 1e-9 * options.speed());
        long[] unfinished = sessions.stream()
                .mapToLong(AgentSession::startedNanos)
                .filter(started -> started != RequestOutcome.NONE)
                .map(started -> end - started)
                .toArray();
        client.close();
        result.complete(new AgentLoadResult(
                options,
                outcomes,
                AgentLoadSummary.of(options.speed(), seconds, outcomes, sessionNanos, unfinished, failedSessions)));
    }

    private void timer(long nanos, Runnable action) {
        vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 500_000)), fired -> action.run());
    }
}
