package dev.warmroute.simulator.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** An OpenAI-compatible endpoint as a benchmark sees it. Threads may share it; every call waits for its answer. */
final class BenchEndpoint implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_REFUSAL = 300;
    private static final String TIMED_OUT = "timed out";

    private final BenchOptions options;
    private final String base;
    private final long originNanos = System.nanoTime();
    private final HttpClient http;
    private final ScheduledExecutorService deadlines = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("bench-deadlines").factory());

    BenchEndpoint(BenchOptions options) {
        this.options = options;
        this.base = options.endpoint().replaceAll("/+$", "").replaceAll("/v1$", "");
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /** The model that was asked for, or else the only one that is served. */
    String model() throws InterruptedException {
        if (!options.model().isEmpty()) {
            return options.model();
        }
        JsonNode served = json("/v1/models")
                .orElseThrow(() ->
                        new UserError(base + "/v1/models does not say which models are served: name one with --model"))
                .path("data");
        if (served.size() != 1) {
            throw new UserError(base + " serves " + served.size() + " models " + served.findValuesAsText("id")
                    + ": name one with --model");
        }
        return served.path(0).path("id").asText();
    }

    /** The engine with its version; empty when the endpoint does not say. */
    String engine() throws InterruptedException {
        String version = json("/version").map(v -> v.path("version").asText("")).orElse("");
        return version.isEmpty() ? "" : "vllm " + version;
    }

    /** What the pages of metrics say that were asked for, or the endpoint's own if it has one. */
    CacheCounters counters() throws InterruptedException {
        CacheCounters sum = CacheCounters.NONE;
        for (String url : options.metrics()) {
            HttpResponse<String> answer = get(url);
            if (answer.statusCode() != 200) {
                throw new UserError("--metrics " + url + " answered with " + answer.statusCode());
            }
            sum = sum.plus(CacheCounters.of(url, answer.body()));
        }
        if (options.metrics().isEmpty()) {
            HttpResponse<String> answer = get(base + "/metrics");
            if (answer.statusCode() == 200) {
                sum = CacheCounters.of(base + "/metrics", answer.body());
            }
        }
        return sum;
    }

    /**
     * How many tokens a prompt has.
     *
     * @return empty when the endpoint does not count
     * @throws UserError if it has too many for the model
     */
    OptionalInt tokens(String model, ArrayNode messages) throws InterruptedException {
        ObjectNode body = JSON.createObjectNode().put("model", model);
        body.set("messages", messages);
        options.thinking()
                .ifPresent(on -> body.putObject("chat_template_kwargs").put("enable_thinking", on));
        Optional<JsonNode> answer =
                parsed(send(request("/tokenize").POST(HttpRequest.BodyPublishers.ofString(body.toString()))));
        int count = answer.map(a -> a.path("count").asInt(-1)).orElse(-1);
        int longest = answer.map(a -> a.path("max_model_len").asInt(0)).orElse(0);
        if (longest > 0 && count + options.maxTokens() > longest) {
            throw new UserError("a prompt has " + count + " tokens: with --max-tokens " + options.maxTokens()
                    + " that is more than the " + longest + " that " + model + " takes");
        }
        return count < 0 ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** Sends a streamed chat and reads its answer to the end, or until the time is over. */
    RequestOutcome ask(String model, String session, int number, ArrayNode messages) {
        ObjectNode body = JSON.createObjectNode().put("model", model);
        body.set("messages", messages);
        body.put("max_tokens", options.maxTokens()).put("temperature", 0).put("stream", true);
        body.putObject("stream_options").put("include_usage", true);
        options.thinking()
                .ifPresent(on -> body.putObject("chat_template_kwargs").put("enable_thinking", on));
        body.setAll(options.extraBody());
        HttpRequest request = request("/v1/chat/completions")
                .timeout(Duration.ofSeconds(options.timeoutSeconds()))
                .header(options.sessionHeader(), session)
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        Reading reading = new Reading(session, number, now());
        try {
            reading.read(http.send(request, HttpResponse.BodyHandlers.ofInputStream()));
        } catch (HttpTimeoutException e) {
            reading.error = e instanceof HttpConnectTimeoutException ? e.getMessage() : TIMED_OUT;
        } catch (IOException | IllegalStateException e) {
            reading.error = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reading.error = "interrupted";
        }
        return reading.ended();
    }

    private long now() {
        return System.nanoTime() - originNanos;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(PATIENCE)
                .header("content-type", "application/json");
        if (!options.apiKey().isEmpty()) {
            request.header("authorization", "Bearer " + options.apiKey());
        }
        return request;
    }

    private Optional<JsonNode> json(String path) throws InterruptedException {
        return parsed(send(request(path)));
    }

    private HttpResponse<String> get(String url) throws InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        HttpRequest ready = request.build();
        try {
            return http.send(ready, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UserError(
                    ready.uri() + " cannot be reached: "
                            + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
                    e);
        }
    }

    private static Optional<JsonNode> parsed(HttpResponse<String> answer) {
        try {
            return answer.statusCode() == 200 ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** One request under way. */
    private final class Reading {
        private final String session;
        private final int number;
        private final long sent;
        private final AnswerStream answer = new AnswerStream();
        private long firstByte = RequestOutcome.NONE;
        private int status;
        private String error = "";

        Reading(String session, int number, long sent) {
            this.session = session;
            this.number = number;
            this.sent = sent;
        }

        void read(HttpResponse<InputStream> response) throws IOException {
            status = response.statusCode();
            AtomicBoolean cut = new AtomicBoolean();
            try (InputStream in = response.body()) {
                // The client's own time limit ends with the headers.
                ScheduledFuture<?> deadline = deadlines.schedule(() -> cut(in, cut), left(), TimeUnit.NANOSECONDS);
                try {
                    read(in);
                } finally {
                    deadline.cancel(false);
                }
            } catch (IOException e) {
                throw cut.get() ? new HttpTimeoutException(TIMED_OUT) : e;
            }
            if (cut.get() && !error.isEmpty()) {
                error = TIMED_OUT;
            }
        }

        private long left() {
            return Math.max(0, sent + TimeUnit.SECONDS.toNanos(options.timeoutSeconds()) - now());
        }

        private void read(InputStream in) throws IOException {
            if (status != 200) {
                String refusal = new String(in.readNBytes(LONGEST_REFUSAL), StandardCharsets.UTF_8);
                error = "status " + status + ": " + refusal.replaceAll("\\s+", " ");
                return;
            }
            byte[] buffer = new byte[1 << 13];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (firstByte == RequestOutcome.NONE) {
                    firstByte = now();
                }
                answer.accept(Arrays.copyOf(buffer, n));
            }
            error = answer.problem();
        }

        private static void cut(InputStream in, AtomicBoolean cut) {
            cut.set(true);
            try {
                in.close();
            } catch (IOException e) {
                // it ends all the same
            }
        }

        RequestOutcome ended() {
            return new RequestOutcome(
                    session,
                    number,
                    1,
                    sent,
                    firstByte,
                    now(),
                    status,
                    error,
                    answer.promptTokens(),
                    answer.cachedTokens(),
                    answer.completionTokens());
        }
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
        http.shutdownNow();
    }
}
