package dev.warmroute.router.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.ControlEvent.WarmupFinished;
import dev.warmroute.router.event.ControlEvent.WarmupStarted;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WarmerTest {
    private static final String SYSTEM = "You are a coding agent that works in small steps and tests them.";
    private static final String ONE = "[[{\"role\":\"system\",\"content\":\"" + SYSTEM + "\"}]]";
    private static final String WITH_TOOLS = "[{\"name\":\"coder\",\"messages\":[{\"role\":\"system\",\"content\":\""
            + SYSTEM + "\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"read_file\"}}]}]";

    @TempDir
    private Path directory;

    /** {@code <role>\ntext<end>}, tools in the system message. */
    private static String plain(JsonNode chat) {
        StringBuilder text = new StringBuilder();
        for (JsonNode message : chat.get("messages")) {
            text.append('<')
                    .append(message.get("role").asText())
                    .append(">\n")
                    .append(message.get("content").asText());
            text.append(text.indexOf("<user>") < 0 ? chat.path("tools").toString() : "")
                    .append("<end>\n");
        }
        return text + "<assistant>\n";
    }

    static Stream<Arguments> templates() {
        AtomicInteger second = new AtomicInteger(100_000);
        Function<JsonNode, String> plain = WarmerTest::plain;
        return Stream.of(
                Arguments.of("tools with the system prompt", plain),
                Arguments.of("tools in front of what the user says", (Function<JsonNode, String>)
                        chat -> plain.apply(without(chat, "tools"))
                                .replace("<user>\n", "<user>\nGiven these functions: " + chat.path("tools") + "\n\n")),
                Arguments.of("tools behind what the user says", (Function<JsonNode, String>)
                        chat -> plain.apply(without(chat, "tools")) + chat.path("tools")),
                Arguments.of("the date of today at the begin", (Function<JsonNode, String>)
                        chat -> "Today: 2026-11-30\n" + plain.apply(chat)),
                Arguments.of("the time behind the system prompt", (Function<JsonNode, String>)
                        chat -> plain.apply(chat).replace("<user>", "<now " + second.incrementAndGet() + "><user>")),
                Arguments.of("words that the vocabulary does not know", (Function<JsonNode, String>)
                        chat -> plain.apply(chat).replaceAll("(?<=<user>\n)\\s*\\S[^<]*", "?")),
                Arguments.of("the user's text between line ends", (Function<JsonNode, String>)
                        chat -> plain.apply(chat).replace("<user>\n", "<user>\n\n")));
    }

    private static JsonNode without(JsonNode chat, String field) {
        return ((ObjectNode) chat.deepCopy()).without(field);
    }

    private static ObjectNode asks(String prompts, String words) {
        return WarmPrompts.parse("test", prompts.getBytes(StandardCharsets.UTF_8))
                .prompts()
                .get(0)
                .asking(words);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("templates")
    void theFirstRequestFindsAllFullBlocksOfAStrictPrefix(String name, Function<JsonNode, String> template)
            throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(template);
                WarmRouter router = WarmRouter.start(directory, WITH_TOOLS, "", "warden", engine.url())) {
            WarmUpResult result = router.awaitWarm("r0", 1);
            assertThat(result.mode()).isEqualTo("strict-prefix");
            assertThat(engine.warmed()).hasSize(1);
            List<Long> prefix = engine.warmed().get(0);
            assertThat(prefix).as("the system prompt is in it").hasSizeGreaterThan(SYSTEM.length());
            for (String words : List.of("Fix the tests.", "\n\n\nFix the tests.", "A", "", "7")) {
                List<Long> request = engine.tokens(asks(WITH_TOOLS, words));
                assertThat(request.subList(0, prefix.size()))
                        .as("what is said: '%s'", words)
                        .isEqualTo(prefix);
            }
            long blocks = (long) prefix.size() / TemplatedEngine.BLOCK * TemplatedEngine.BLOCK;
            assertThat(router.cached(asks(WITH_TOOLS, "Fix the tests.")))
                    .isEqualTo(blocks)
                    .isGreaterThanOrEqualTo(SYSTEM.length() - TemplatedEngine.BLOCK);
        }
    }

    @Test
    void warmRequestsAreNoTraffic() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
            WarmUpResult result = router.awaitWarm("r0", 1);
            WarmupStarted started = router.all(WarmupStarted.class).get(0);
            assertThat(started.reason()).isEqualTo("start");
            assertThat(started.prompts()).isEqualTo(1);
            WarmupFinished finished = router.all(WarmupFinished.class).get(0);
            assertThat(finished.completed()).isEqualTo(1);
            assertThat(finished.skipped()).isZero();
            assertThat(finished.promptTokens()).isEqualTo(engine.warmed().get(0).size());
            assertThat(finished.mode()).isEqualTo("strict-prefix");
            assertThat(result.line("r0"))
                    .startsWith("warm-up of replica r0 (start): 1 completed, 0 skipped, ")
                    .endsWith(", strict-prefix");
            assertThat(router.all(RoutingDecision.class)).isEmpty();
            assertThat(router.all(RequestCompleted.class)).isEmpty();

            JsonNode before = router.status();
            assertThat(before.at("/totals/accepted").asLong()).isZero();
            JsonNode cache = before.at("/models/0/replicas/0/cache");
            assertThat(cache.toString())
                    .isEqualTo("{\"entry_count\":1,\"hits\":0,\"misses\":0,\"hit_rate\":null,\"tokens_saved\":0}");
            assertThat(before.at("/warm_prompts/state").asText()).isEqualTo("warm");

            long saved = router.cached(asks(ONE, "Go."));
            router.cached(
                    WarmRouter.MAPPER.readTree("{\"messages\":[{\"role\":\"user\",\"content\":\"something else\"}]}"));
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> router.all(RequestCompleted.class).size() == 2);
            JsonNode after = router.status().at("/models/0/replicas/0/cache");
            assertThat(after.toString())
                    .isEqualTo("{\"entry_count\":1,\"hits\":1,\"misses\":1,\"hit_rate\":0.5,\"tokens_saved\":" + saved
                            + "}");
        }
    }

    @Test
    void whereNothingCanBeRenderedAChatIsSent() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain)) {
            engine.renders = false;
            try (WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
                assertThat(router.awaitWarm("r0", 1).mode()).isEqualTo("chat-fallback");
                assertThat(router.cached(asks(ONE, "Go.")))
                        .isGreaterThanOrEqualTo(SYSTEM.length() - TemplatedEngine.BLOCK);
                assertThat(router.status()
                                .at("/models/0/replicas/0/warmup/last/mode")
                                .asText())
                        .isEqualTo("chat-fallback");
            }
        }
    }

    @Test
    void aPromptLongerThanTheModelAllowsIsSkippedAndTheOthersAreNot() throws Exception {
        String prompts = prompts(2).replace("\"system 1", "\"" + "x".repeat(6_000));
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, prompts, "", "warden", engine.url())) {
            WarmUpResult result = router.awaitWarm("r0", 1);
            assertThat(result.completed()).isEqualTo(1);
            assertThat(result.line("r0")).endsWith("; skipped since longer than the model's 5000 tokens: entry [1]");
            assertThat(router.status().at("/warm_prompts/state").asText()).isEqualTo("partly_warm");
        }
    }

    private static String prompts(int n) {
        ArrayNode list = WarmRouter.MAPPER.createArrayNode();
        IntStream.range(0, n)
                .forEach(i ->
                        list.addArray().addObject().put("role", "system").put("content", "system " + i + ' ' + SYSTEM));
        return list.toString();
    }

    @Test
    void aClearReturnsWhileFiftyPromptsAreWarmedAndClientsAreAnsweredMeanwhile() throws Exception {
        String fifty = prompts(50);
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, fifty, ", concurrency: 3", "warden", engine.url())) {
            router.awaitWarm("r0", 1);
            assertThat(engine.mostWarming()).isLessThanOrEqualTo(3);
            engine.holdCompletions();

            JsonNode cleared = router.clear();
            assertThat(cleared.path("status").asText()).isEqualTo("cleared");
            assertThat(cleared.path("rewarm_scheduled").asBoolean()).isTrue();
            await().atMost(Duration.ofSeconds(10)).until(() -> engine.warming() == 3);
            for (int i = 0; i < 20; i++) {
                // answered although not one warm prompt is: a place of theirs is all that they take
                assertThat(router.cached(asks(fifty, "request " + i))).isGreaterThanOrEqualTo(0);
            }
            assertThat(engine.warming()).isEqualTo(3);
            assertThat(engine.warmed()).hasSize(50);
            JsonNode status = router.status();
            assertThat(status.at("/warm_prompts/state").asText()).isEqualTo("warming");
            assertThat(status.at("/warm_prompts/of").asInt()).isEqualTo(50);
            assertThat(status.at("/models/0/replicas/0/warmup/reason").asText()).isEqualTo("cleared");

            engine.release();
            WarmUpResult again = router.awaitWarm("r0", 2);
            assertThat(again.completed()).isEqualTo(50);
            assertThat(engine.mostWarming()).isEqualTo(3);
            assertThat(router.cached(asks(fifty, "after"))).isGreaterThanOrEqualTo(SYSTEM.length());
            assertThat(router.all(PrefixCacheCleared.class))
                    .extracting(PrefixCacheCleared::status)
                    .containsExactly("cleared");
        }
    }

    @Test
    void anEngineThatStaysBusyIsNotClearedAndItsWarmUpGoesOn() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain)) {
            engine.holdCompletions();
            engine.busyWhileWarming = true;
            try (WarmRouter router = WarmRouter.start(directory, prompts(5), "", "warden", engine.url())) {
                await().atMost(Duration.ofSeconds(10)).until(() -> engine.warming() == 2);
                JsonNode cleared = router.clear(); // the engine here does not see that the warm-up has left
                assertThat(cleared.path("status").asText()).isEqualTo("busy");
                assertThat(cleared.path("rewarm_scheduled").asBoolean()).isTrue();
                engine.release();
                assertThat(router.awaitWarm("r0", 2).completed()).isEqualTo(5);
                assertThat(router.all(WarmupStarted.class))
                        .extracting(WarmupStarted::reason)
                        .containsExactly("start", "resumed");
                assertThat(router.clear().path("status").asText()).isEqualTo("cleared");
            }
        }
    }

    @Test
    void aClearDuringAWarmUpStopsThatAndBeginsAnother() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain)) {
            engine.holdCompletions();
            try (WarmRouter router = WarmRouter.start(directory, prompts(5), "", "warden", engine.url())) {
                await().atMost(Duration.ofSeconds(10)).until(() -> engine.warming() == 2);
                assertThat(router.clear().path("status").asText()).isEqualTo("cleared");
                engine.release();
                assertThat(router.awaitWarm("r0", 2).completed()).isEqualTo(5);
                WarmupFinished stopped = router.all(WarmupFinished.class).get(0);
                assertThat(stopped.completed()).isZero();
                assertThat(stopped.skipped()).isEqualTo(5);
                assertThat(stopped.mode()).isEqualTo("none");
                assertThat(router.all(WarmupStarted.class))
                        .extracting(WarmupStarted::reason)
                        .containsExactly("start", "cleared");
            }
        }
    }

    @Test
    void replicasThatCannotBeClearedAreNamed() throws Exception {
        try (TemplatedEngine can = new TemplatedEngine(WarmerTest::plain);
                TemplatedEngine cannot = new TemplatedEngine(WarmerTest::plain)) {
            cannot.resets = false;
            try (WarmRouter router =
                    WarmRouter.start(directory, ONE, "", "warden", can.url(), cannot.url(), "http://127.0.0.1:9")) {
                router.awaitWarm("r0", 1);
                JsonNode cleared = router.clear();
                assertThat(cleared.path("status").asText()).isEqualTo("partial");
                assertThat(cleared.path("rewarm_scheduled").asBoolean()).isTrue();
                assertThat(cleared.path("replicas").findValuesAsText("status"))
                        .containsExactly("cleared", "not_supported", "failed");
                assertThat(cleared.at("/replicas/1/problem").asText()).contains("VLLM_SERVER_DEV_MODE");
                assertThat(cleared.at("/replicas/2/problem").asText()).isEqualTo("the replica cannot be reached");
            }
            try (WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", cannot.url())) {
                router.awaitWarm("r0", 1);
                JsonNode cleared = router.clear();
                assertThat(cleared.path("status").asText()).isEqualTo("not_supported");
                assertThat(cleared.path("rewarm_scheduled").asBoolean()).isFalse();
            }
        }
    }

    @ParameterizedTest(name = "''{0}'' is {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|cleared",
                "{\"success\":true}|cleared",
                "{\"success\":false}|busy",
                "{}|failed",
                "{\"success\":\"yes\"}|failed",
                "[]|failed",
                "<html>|failed"
            })
    void onlyAnEmptyAnswerOrOneThatSaysSoIsACacheThatIsEmpty(String answer, String status) throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
            router.awaitWarm("r0", 1);
            engine.resetSays = Optional.of(answer);
            assertThat(router.clear().path("status").asText()).isEqualTo(status);
        }
    }

    @Test
    void aReplicaThatWasAskedAndDidNotAnswerCountsAsCleared() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
            router.awaitWarm("r0", 1);
            engine.resetBreaks = true;
            HttpResponse<String> answer = router.operator("DELETE", "/v1/cache/prefix");
            assertThat(answer.statusCode()).isEqualTo(504);
            JsonNode replica = WarmRouter.MAPPER.readTree(answer.body()).at("/replicas/0");
            assertThat(replica.path("status").asText()).isEqualTo("unanswered");
            assertThat(replica.path("problem").asText())
                    .isEqualTo("the connection broke before the answer; its cache may be empty");
            assertThat(router.all(PrefixCacheCleared.class)).singleElement().matches(PrefixCacheCleared::emptied);
            assertThat(router.awaitWarm("r0", 2).reason()).isEqualTo("cleared");
        }
    }

    @Test
    void whileReplicasAreClearedTheRouterTellsItsHealthAndASecondClearJoins() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
            router.awaitWarm("r0", 1);
            engine.holdResets();
            CompletableFuture<Clearing> first = router.server().warmer().clear();
            CompletableFuture<Clearing> second = router.server().warmer().clear();
            List<CompletableFuture<HttpResponse<String>>> more = IntStream.range(0, 3)
                    .mapToObj(i -> router.operatorLater("DELETE", "/v1/cache/prefix"))
                    .toList();
            await().atMost(Duration.ofSeconds(10)).until(() -> engine.asked().contains("/reset_prefix_cache"));
            assertThat(router.operator("GET", "/health").statusCode()).isEqualTo(200);
            assertThat(more).noneMatch(CompletableFuture::isDone);
            engine.release();
            assertThat(second.join()).isSameAs(first.join());
            more.forEach(m -> assertThat(m.join().statusCode()).isEqualTo(200));
        }
    }

    @Test
    void onlyReplicasThatMayBeChosenCountAsWarm() throws Exception {
        try (TemplatedEngine a = new TemplatedEngine(WarmerTest::plain);
                TemplatedEngine b = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", a.url(), b.url())) {
            router.awaitWarm("r0", 1);
            router.awaitWarm("r1", 1);
            assertThat(router.status().at("/warm_prompts/replicas_warm").asInt())
                    .isEqualTo(2);
            router.server().change(m -> m.draining("r1", Duration.ZERO));
            JsonNode warm = router.status().path("warm_prompts");
            assertThat(warm.path("replicas_warm").asInt()).isEqualTo(1);
            assertThat(warm.path("replicas").asInt()).isEqualTo(2);
            assertThat(warm.path("state").asText()).isEqualTo("warm");
        }
    }

    @Test
    void aClearNeedsTheToken() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
            HttpResponse<String> refused = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + router.server().adminPort() + "/v1/cache/prefix"))
                                    .DELETE()
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(engine.asked()).doesNotContain("/reset_prefix_cache");
        }
    }

    @Test
    void anEngineThatWasStartedAgainAndAReplicaThatComesBackAreWarmed() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", engine.url())) {
            router.awaitWarm("r0", 1);
            engine.forget();
            router.server().engineRestarted("r0");
            router.awaitWarm("r0", 2);
            assertThat(router.cached(asks(ONE, "Go."))).isGreaterThanOrEqualTo(SYSTEM.length() - TemplatedEngine.BLOCK);

            router.server().change(m -> m.draining("r0", Duration.ZERO));
            router.server().change(m -> m.serving("r0"));
            router.awaitWarm("r0", 3);
            assertThat(router.all(WarmupStarted.class))
                    .extracting(WarmupStarted::reason)
                    .containsExactly("start", "epoch", "up");
        }
    }

    @Test
    void aReplicaThatIsAddedIsWarmed() throws Exception {
        try (TemplatedEngine first = new TemplatedEngine(WarmerTest::plain);
                TemplatedEngine second = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, ONE, "", "warden", first.url())) {
            router.server()
                    .change(m -> m.with(
                            "m",
                            new ReplicaConfig("r1", URI.create(second.url()), OptionalInt.empty(), Optional.empty())));
            assertThat(router.awaitWarm("r1", 1).reason()).isEqualTo("up");
            assertThat(second.warmed()).hasSize(1);
        }
    }

    @Test
    void withAWrongFileTheReplicasStayColdAndTheStatusSaysWhy() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(
                        directory, "[[{\"role\":\"sytem\",\"content\":\"a\"}]]", "", "warden", engine.url())) {
            assertThat(router.cached(asks(ONE, "Go."))).isZero();
            JsonNode warm = router.status().path("warm_prompts");
            assertThat(warm.path("state").asText()).isEqualTo("cold");
            assertThat(warm.path("problem").asText())
                    .contains("agents.json: entry [0], messages[0].role: must be one of system");
            assertThat(router.all(WarmupStarted.class)).isEmpty();
            assertThat(router.clear().path("rewarm_scheduled").asBoolean()).isFalse();
        }
    }

    @Test
    void aRouterThatStopsEndsItsWarmUps() throws Exception {
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain)) {
            engine.holdCompletions();
            WarmRouter router = WarmRouter.start(directory, prompts(9), "", "warden", engine.url());
            await().atMost(Duration.ofSeconds(10)).until(() -> engine.warming() == 2);
            router.close();
            assertThat(router.all(WarmupFinished.class))
                    .extracting(WarmupFinished::skipped)
                    .containsExactly(9);
            assertThat(engine.warmed()).isEmpty();
        }
    }

    @Test
    void aPolicyThatReadsPromptsIsAskedWhereEachBelongsAndTheOthersPlaceThemAnywhere() throws Exception {
        String six = prompts(6).replace(SYSTEM, SYSTEM.repeat(40));
        try (TemplatedEngine a = new TemplatedEngine(WarmerTest::plain);
                TemplatedEngine b = new TemplatedEngine(WarmerTest::plain)) {
            try (WarmRouter router = WarmRouter.start(
                    directory, six, ", replicas: placed", "{name: prefix_hash, prefix_tokens: 64}", a.url(), b.url())) {
                int onA = router.awaitWarm("r0", 1).completed();
                int onB = router.awaitWarm("r1", 1).completed();
                assertThat(onA + onB).isEqualTo(6);
                for (int i = 0; i < 6; i++) { // each request goes where its prompt is warm
                    assertThat(router.cached(WarmPrompts.parse("t", six.getBytes(StandardCharsets.UTF_8))
                                    .prompts()
                                    .get(i)
                                    .asking("Go.")))
                            .isGreaterThan(SYSTEM.length() * 39L);
                }
            }
            try (WarmRouter router =
                    WarmRouter.start(directory, six, ", replicas: placed", "warden", a.url(), b.url())) {
                assertThat(router.awaitWarm("r0", 1).completed()).isEqualTo(6);
                assertThat(router.awaitWarm("r1", 1).completed()).isEqualTo(6);
            }
        }
    }

    @Test
    void whatPromptsTakeOfTheCacheIsKnownTheirCommonBeginningCountedOnce() throws Exception {
        String same = "["
                + IntStream.range(0, 3)
                        .mapToObj(i ->
                                "[{\"role\":\"system\",\"content\":\"" + SYSTEM.repeat(20) + " variant " + i + "\"}]")
                        .reduce((x, y) -> x + "," + y)
                        .orElseThrow()
                + "]";
        try (TemplatedEngine engine = new TemplatedEngine(WarmerTest::plain);
                WarmRouter router = WarmRouter.start(directory, same, "", "warden", engine.url())) {
            WarmUpResult result = router.awaitWarm("r0", 1);
            long one = engine.warmed().get(0).size();
            assertThat(result.promptTokens()).isEqualTo(3 * one);
            assertThat(result.distinctTokens()).isBetween(one, one + 60);
            double share = router.status()
                    .at("/models/0/replicas/0/warmup/cache_share")
                    .asDouble();
            assertThat(share).isEqualTo((double) result.distinctTokens() / WarmRouter.CAPACITY);
        }
    }
}
