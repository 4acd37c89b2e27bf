package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A stand-in vLLM: the simulator's engine behind vLLM's HTTP API, so that a router, a load driver or a person cannot tell
 * the difference except by the words. Paths, fields and errors are those of vLLM 0.32.0, decisions, defaults and the series of
 * {@code /metrics} those of the version that {@link ReplicaOptions#profile} names; the text is made up, see {@link
 * StandInTokenizer}.
 *
 * <p>Generating: {@code /v1/completions}, {@code /v1/chat/completions}, {@code /v1/messages}, {@code /v1/responses}. Beside
 * them: {@code /v1/messages/count_tokens}, {@code /v1/models}, {@code /tokenize}, {@code /detokenize}, {@code /health},
 * {@code /ping}, {@code /version}, {@code /load}, {@code /metrics}, {@code /reset_prefix_cache}.
 */
public final class StandInReplica implements AutoCloseable {
    private static final long START_SECONDS = 10;
    private static final int MAX_HEADER_BYTES = 64 << 10;
    private static final String RANK_HEADER = "x-data-parallel-rank";

    private final ReplicaOptions options;
    private final EngineSetup setup;
    private final ReplicaMetrics metrics;
    private final EngineLoop engine;
    private final Vertx vertx;
    private final HttpServer server;
    private final RequestIds ids = new RequestIds();
    private final double startedSeconds = System.currentTimeMillis() / 1e3;
    private int open;

    /**
     * Starts a replica and returns when it listens.
     *
     * @throws UserError if an option does not hold or the port is taken
     */
    public static StandInReplica start(ReplicaOptions options) {
        return new StandInReplica(options);
    }

    private StandInReplica(ReplicaOptions options) {
        this.options = options;
        this.setup = EngineSetup.of(options);
        this.metrics = new ReplicaMetrics(options.maxModelLen());
        this.engine = new EngineLoop(setup, options.speed(), options.maxQueued(), metrics);
        this.vertx = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1).setInternalBlockingPoolSize(1));
        this.server = vertx.createHttpServer(new HttpServerOptions()
                .setHost(options.host())
                .setPort(options.port())
                .setTcpNoDelay(true)
                .setReuseAddress(true)
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setHandle100ContinueAutomatically(true)
                .setHttp2ClearTextEnabled(false));
        server.requestHandler(routes()::dispatch);
        try {
            server.listen().toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            vertx.close();
            throw new UserError(
                    "cannot listen on " + options.host() + ':' + options.port() + ": "
                            + (e.getCause() == null
                                    ? "no answer in " + START_SECONDS + " s"
                                    : e.getCause().getMessage())
                            + "; choose another --port",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            vertx.close();
            throw new UserError("interrupted while starting the replica", e);
        }
        engine.start();
    }

    /** The port it listens on. */
    public int port() {
        return server.actualPort();
    }

    /** Address of the server, for a client's configuration. */
    public String url() {
        return "http://" + options.host() + ':' + port();
    }

    public ReplicaOptions options() {
        return options;
    }

    /**
     * Seconds by which engine steps began later than planned and that were not made up for. More than a trifle means that
     * this machine is too slow for {@link ReplicaOptions#speed}.
     */
    public double lostSeconds() {
        return engine.lostNanos() / 1e9;
    }

    /** Closes connections, ends what runs and returns when the port is free. */
    @Override
    public void close() {
        engine.close();
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the replica on port " + options.port() + " did not close", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Routes routes() {
        Routes routes = new Routes(options.maxBodyBytes());
        for (Api api : Api.values()) {
            routes.on(HttpMethod.POST, api.path(), (request, body) -> generate(api, request, body));
        }
        return routes.on(HttpMethod.POST, "/v1/messages/count_tokens", this::countTokens)
                .on(HttpMethod.POST, "/tokenize", this::tokenize)
                .on(HttpMethod.POST, "/detokenize", this::detokenize)
                .on(HttpMethod.POST, "/reset_prefix_cache", this::resetPrefixCache)
                .on(HttpMethod.GET, "/v1/models", this::models)
                .on(HttpMethod.GET, "/metrics", this::metricsPage)
                .on(HttpMethod.GET, "/health", this::health)
                .on(HttpMethod.GET, "/ping", this::health)
                .on(HttpMethod.POST, "/ping", this::health)
                .on(
                        HttpMethod.GET,
                        "/version",
                        (request, body) ->
                                Replies.json(request.response(), 200, "{\"version\":\"" + setup.version() + "\"}"))
                .on(
                        HttpMethod.GET,
                        "/load",
                        (request, body) -> Replies.json(request.response(), 200, "{\"server_load\":" + open + "}"));
    }

    private void generate(Api api, HttpServerRequest request, byte[] body) {
        long arrived = System.nanoTime();
        requireRank(request);
        GenerationRequest generation = api.read(
                RequestBody.parse(body),
                options,
                ids.of(request.getHeader("x-request-id")),
                System.currentTimeMillis() / 1000);
        Context context = vertx.getOrCreateContext();
        new Exchange(
                        context,
                        request.response(),
                        api,
                        generation,
                        options,
                        setup.version().toString(),
                        engine,
                        arrived,
                        () -> open--)
                .start();
        open++;
    }

    private static void requireRank(HttpServerRequest request) {
        String rank = request.getHeader(RANK_HEADER);
        if (rank != null && !rank.strip().equals("0")) {
            throw ApiError.badRequest("", "data_parallel_rank " + rank.strip() + " is out of range [0, 1).");
        }
    }

    private void countTokens(HttpServerRequest request, byte[] body) {
        RequestBody json = RequestBody.parse(body);
        int tokens = PromptReader.messages(json).size();
        Api.requireModel(json, options);
        Replies.json(
                request.response(),
                200,
                "{\"input_tokens\":" + tokens + ",\"context_management\":{\"original_input_tokens\":" + tokens + "}}");
    }

    private void tokenize(HttpServerRequest request, byte[] body) {
        RequestBody json = RequestBody.parse(body);
        LongArrayList tokens = json.has("messages") ? PromptReader.chat(json) : PromptReader.completions(json);
        Api.requireModel(json, options);
        ObjectNode answer =
                Json.MAPPER.createObjectNode().put("count", tokens.size()).put("max_model_len", options.maxModelLen());
        ArrayNode list = answer.putArray("tokens");
        tokens.forEach(list::add);
        if (json.flag("return_token_strs")) {
            ArrayNode strings = answer.putArray("token_strs");
            tokens.forEach(id -> strings.add(StandInTokenizer.detokenize(LongArrayList.of(id))));
        } else {
            answer.putNull("token_strs");
        }
        Replies.json(request.response(), 200, answer.toString());
    }

    private void detokenize(HttpServerRequest request, byte[] body) {
        RequestBody json = RequestBody.parse(body);
        String text = StandInTokenizer.detokenize(PromptReader.ids(json.requiredList("tokens"), "tokens"));
        Api.requireModel(json, options);
        Replies.json(
                request.response(),
                200,
                Json.MAPPER.createObjectNode().put("prompt", text).toString());
    }

    private void resetPrefixCache(HttpServerRequest request, byte[] body) {
        Context context = vertx.getOrCreateContext();
        engine.resetPrefixCache()
                .thenAccept(success -> context.runOnContext(
                        run -> Replies.json(request.response(), 200, "{\"success\":" + success + "}")));
    }

    private void models(HttpServerRequest request, byte[] body) {
        String model = Json.quote(options.servedModelName());
        long now = System.currentTimeMillis() / 1000;
        Replies.json(
                request.response(), 200, """
                {"object":"list","data":[{"id":%s,"object":"model","created":%d,"owned_by":"vllm","root":%s,"parent":null,\
                "max_model_len":%d,"permission":[{"id":"modelperm-%s","object":"model_permission","created":%d,\
                "allow_create_engine":false,"allow_sampling":true,"allow_logprobs":true,"allow_search_indices":false,\
                "allow_view":true,"allow_fine_tuning":false,"organization":"*","group":null,"is_blocking":false}]}]}""".formatted(model, now, model, options.maxModelLen(), ids.of(null), now));
    }

    private void metricsPage(HttpServerRequest request, byte[] body) {
        MetricsPage page = new MetricsPage(setup.version(), options.servedModelName(), startedSeconds);
        page.process();
        metrics.write(page);
        page.cacheConfig(options, setup.gpuMemoryUtilization());
        Replies.body(request.response(), 200, "text/plain; version=1.0.0; charset=utf-8", page.toString());
    }

    private void health(HttpServerRequest request, byte[] body) {
        if (engine.healthy()) {
            Replies.empty(request.response());
        } else {
            Replies.error(request.response(), ApiError.closing(), false);
        }
    }
}
