package dev.warmroute.simulator.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.warm.WarmPrompt;
import dev.warmroute.router.warm.WarmPrompts;
import dev.warmroute.router.warm.WarmState.Phase;
import dev.warmroute.router.warm.WarmUpResult;
import dev.warmroute.router.warm.WarmedPrompt;
import dev.warmroute.simulator.kv.ServedModel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Warm prompts against an engine: what the first request finds in its cache, after the start and after a clear. Against a real
 * vLLM on this machine with {@code -Dwarmroute.vllm.port=PORT} (block size 32, model {@code tiny}, started with
 * {@code VLLM_SERVER_DEV_MODE=1}), else against the stand-in.
 */
class WarmPromptsOnAnEngineTest {
    private static final int REAL = Integer.getInteger("warmroute.vllm.port", 0);
    private static final int BLOCK = REAL == 0 ? 16 : 32;
    private static final int LONG_PROMPTS = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @Test
    void afterTheStartAndAfterAClearTheFirstRequestFindsAllFullBlocksOfThePrompt() throws Exception {
        String prompts = prompts(3, 300);
        try (Engine engine = Engine.start();
                RouterServer router = router(engine, prompts, 2)) {
            check(router, prompts, awaitWarm(router, "start"), BLOCK);
            JsonNode cleared = Json.MAPPER.readTree(operator(router, "DELETE", "/v1/cache/prefix"));
            assertThat(cleared.path("status").asText()).isEqualTo("cleared");
            assertThat(cleared.path("rewarm_scheduled").asBoolean()).isTrue();
            check(router, prompts, awaitWarm(router, "cleared"), BLOCK);
        }
    }

    /** An engine that can go on only from where a request ended finds what ended where the prompt does, and nothing of a chat. */
    @Test
    void aHybridFindsWhatEndedWithThePrompt() throws Exception {
        assumeTrue(REAL == 0, "the stand-in has the hybrid");
        ServedModel hybrid = ServedModel.of(new ServedModel.Asked(
                "Qwen3.5-4B",
                "RTX 4090",
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()));
        ReplicaOptions options = ReplicaOptions.defaults()
                .withServed(hybrid)
                .withPort(0)
                .withServedModelName("tiny")
                .withSpeed(1_000);
        int block = options.blockSize();
        String prompts = prompts(2, 2 * block + 100);
        try (Engine engine = new Engine(options);
                RouterServer router = router(engine, prompts, 1)) {
            check(router, prompts, awaitWarm(router, "start"), block);
        }
    }

    /** Each prompt's first request finds what was warmed in full blocks, whatever the user says. */
    private void check(RouterServer router, String prompts, WarmUpResult result, int block)
            throws IOException, InterruptedException {
        assertThat(result.skipped()).isZero();
        assertThat(result.mode()).isEqualTo("strict-prefix");
        List<String> words = List.of("Fix the tests.", "\n\nFix the tests.", "7 tests fail.");
        List<WarmPrompt> all =
                WarmPrompts.parse("test", prompts.getBytes(UTF_8)).prompts();
        for (int i = 0; i < all.size(); i++) {
            WarmedPrompt warmed = result.prompts().get(i);
            long blocks = warmed.tokens() / block * block;
            JsonNode usage = chat(router, all.get(i).asking(words.get(i)));
            long found = usage.at("/prompt_tokens_details/cached_tokens").asLong();
            assertThat(found).as("of %s", usage).isEqualTo(blocks).isGreaterThan(0);
            assertThat(usage.path("prompt_tokens").asLong()).isGreaterThan(warmed.tokens());
            say(
                    "after %s: prefix %d tokens, first request %d of %d tokens cached%n",
                    result.reason(),
                    warmed.tokens(),
                    found,
                    usage.path("prompt_tokens").asLong());
        }
    }

    @Test
    void clientsAreAnsweredWhileFiftyLongPromptsAreWarmedAgain() throws Exception {
        String prompts = prompts(LONG_PROMPTS, 900);
        try (Engine engine = Engine.start();
                RouterServer router = router(engine, prompts, 2)) {
            awaitWarm(router, "start");
            JsonNode cleared = Json.MAPPER.readTree(operator(router, "DELETE", "/v1/cache/prefix"));
            assertThat(cleared.path("status").asText()).isEqualTo("cleared");
            int asked = 0;
            int meanwhile = 0;
            while (router.warmer().state("r0").phase() == Phase.WARMING && asked < LONG_PROMPTS) {
                chat(router, hello(asked++));
                meanwhile += router.warmer().state("r0").phase() == Phase.WARMING ? 1 : 0;
            }
            WarmUpResult again = awaitWarm(router, "cleared");
            assertThat(again.completed()).isEqualTo(LONG_PROMPTS);
            say(
                    "%d requests answered during the re-warm of %,d tokens in %.1f s%n",
                    meanwhile, again.promptTokens(), again.seconds());
        }
    }

    /** Figures of a real engine are worth reading. */
    private static void say(String format, Object... figures) {
        if (REAL != 0) {
            System.out.printf(format, figures);
        }
    }

    private static ObjectNode hello(int number) {
        ObjectNode request = Json.MAPPER.createObjectNode();
        request.putArray("messages").addObject().put("role", "user").put("content", "Hello " + number);
        return request;
    }

    /** Prompts that share nothing but the template. */
    private static String prompts(int n, int words) {
        ArrayNode list = Json.MAPPER.createArrayNode();
        for (int p = 0; p < n; p++) {
            int first = 10 + p * words;
            String text =
                    IntStream.range(first, first + words).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
            list.addArray().addObject().put("role", "system").put("content", text);
        }
        return list.toString();
    }

    private RouterServer router(Engine engine, String prompts, int concurrency) throws IOException {
        Path file = Files.writeString(directory.resolve("prompts.json"), prompts);
        String yaml = """
                listen: 127.0.0.1:0
                admin: {listen: '127.0.0.1:0', token: secret}
                prompt: {fingerprint: off}
                warm_prompts: {file: '%s', concurrency: %d}
                models: [{name: tiny, replicas: [{id: r0, url: 'http://127.0.0.1:%d'}]}]
                """.formatted(file, concurrency, engine.port());
        return RouterServer.start(
                RouterConfig.parse("test", yaml),
                RouterServices.of(EventSink.NONE, new Salt(new byte[32])).withEventLoops(1));
    }

    private static WarmUpResult awaitWarm(RouterServer router, String reason) {
        await().atMost(PATIENCE)
                .until(() -> router.warmer().state("r0").phase() == Phase.WARM
                        && router.warmer()
                                .state("r0")
                                .last()
                                .orElseThrow()
                                .reason()
                                .equals(reason));
        return router.warmer().state("r0").last().orElseThrow();
    }

    private JsonNode chat(RouterServer router, ObjectNode chat) throws IOException, InterruptedException {
        String body = chat.put("model", "tiny").put("max_tokens", 1).toString();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + router.port() + "/v1/chat/completions"))
                .POST(BodyPublishers.ofString(body))
                .header("content-type", "application/json")
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.body()).path("usage");
    }

    private String operator(RouterServer router, String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.adminPort() + path))
                .method(method, BodyPublishers.noBody())
                .header("authorization", "Bearer secret")
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    /** Something that answers as vLLM does, with an empty cache. */
    private record Engine(int port, Optional<StandInReplica> standIn) implements AutoCloseable {
        Engine(ReplicaOptions options) {
            this(StandInReplica.start(options));
        }

        private Engine(StandInReplica replica) {
            this(replica.port(), Optional.of(replica));
        }

        static Engine start() {
            if (REAL != 0) {
                assertThat(RawAnswer.ask(REAL, "POST", "/reset_prefix_cache", "")
                                .body())
                        .contains("true");
                return new Engine(REAL, Optional.empty());
            }
            return new Engine(ReplicaOptions.defaults()
                    .withPort(0)
                    .withServedModelName("tiny")
                    .withSpeed(1_000)
                    .withCache(20_000, BLOCK));
        }

        @Override
        public void close() {
            standIn.ifPresent(StandInReplica::close);
        }
    }
}
