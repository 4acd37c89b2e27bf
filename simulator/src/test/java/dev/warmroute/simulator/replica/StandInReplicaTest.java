package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineProfile;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StandInReplicaTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void theNextTurnFindsThePromptAndTheAnswerInTheCache() {
        try (StandInReplica replica = StandInReplica.start(fast())) {
            String first = "{\"role\":\"user\",\"content\":\"" + words(0, 100) + "\"}";
            JsonNode one = chat(replica, first, 40);
            String answer = one.at("/choices/0/message/content").asText();
            assertThat(answer.strip().split(" ")).hasSize(40);

            JsonNode two = chat(
                    replica,
                    first + ",{\"role\":\"assistant\",\"content\":\"" + answer + "\"},{\"role\":\"user\",\"content\":\""
                            + words(500, 20) + "\"}",
                    8);
            // 105 tokens of prompt and 40 of answer, the last of which has no KV yet: 144 / 32 blocks.
            assertThat(cached(one)).isZero();
            assertThat(two.at("/usage/prompt_tokens").asInt()).isEqualTo(105 + 40 + 1 + 23 + 2);
            assertThat(cached(two)).isEqualTo(128);
        }
    }

    @Test
    void equalRequestsGetEqualAnswersAndSaltedOnesShareNoBlocks() {
        try (StandInReplica replica = StandInReplica.start(fast())) {
            String body = "\"prompt\":\"" + words(0, 100) + "\",\"max_tokens\":5";
            JsonNode one = post(replica, "/v1/completions", '{' + body + '}');
            JsonNode two = post(replica, "/v1/completions", '{' + body + '}');
            JsonNode salted = post(replica, "/v1/completions", '{' + body + ",\"cache_salt\":\"tenant\"}");
            assertThat(two.at("/choices/0/text")).isEqualTo(one.at("/choices/0/text"));
            assertThat(cached(two)).isEqualTo(96);
            assertThat(cached(salted)).isZero();
        }
    }

    @Test
    void tokenIdsAreTakenAndGivenBackAsTheyAre() {
        try (StandInReplica replica = StandInReplica.start(fast())) {
            String ids = IntStream.range(0, 70)
                    .mapToObj(i -> Integer.toString(6 + i))
                    .collect(Collectors.joining(","));
            JsonNode answer = post(
                    replica,
                    "/v1/completions",
                    "{\"prompt\":[" + ids + "],\"max_tokens\":3,\"return_token_ids\":true}");
            JsonNode choice = answer.at("/choices/0");
            assertThat(choice.at("/prompt_token_ids").toString()).isEqualTo('[' + ids + ']');
            assertThat(choice.at("/token_ids")).hasSize(3);
            JsonNode text = post(replica, "/detokenize", "{\"tokens\":" + choice.at("/token_ids") + "}");
            assertThat(text.at("/prompt")).isEqualTo(choice.at("/text"));
        }
    }

    @Test
    void anAnswerEndsByItselfUnlessTheRequestForbidsIt() {
        try (StandInReplica replica = StandInReplica.start(fast().withAnswerTokens(10))) {
            JsonNode own = post(replica, "/v1/completions", "{\"prompt\":\"w6\",\"max_tokens\":30}");
            JsonNode forced =
                    post(replica, "/v1/completions", "{\"prompt\":\"w6\",\"max_tokens\":30,\"ignore_eos\":true}");
            assertThat(own.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
            assertThat(own.at("/usage/completion_tokens").asInt()).isEqualTo(10);
            assertThat(forced.at("/choices/0/finish_reason").asText()).isEqualTo("length");
            assertThat(forced.at("/usage/completion_tokens").asInt()).isEqualTo(30);
            MetricsText page = MetricsText.of(replica.port());
            assertThat(page.samples())
                    .containsEntry(
                            "vllm:request_success_total{engine=\"0\",finished_reason=\"stop\",model_name=\"stand-in\"}",
                            1.0);
        }
    }

    @Test
    void countersSumToWhatTheRequestsReported() throws Exception {
        try (StandInReplica replica = StandInReplica.start(fast().withBatch(4, 256))) {
            List<Callable<JsonNode>> calls = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                int from = 50 * (i % 3);
                int tokens = 1 + i;
                calls.add(() -> chat(replica, "{\"role\":\"user\",\"content\":\"" + words(from, 300) + "\"}", tokens));
            }
            List<JsonNode> answers = inParallel(calls);
            MetricsText page = MetricsText.of(replica.port());
            double prompt = sum(answers, "/usage/prompt_tokens");
            double cached = sum(answers, "/usage/prompt_tokens_details/cached_tokens");
            assertThat(cached).isPositive();
            assertThat(page.sum("prompt_tokens_total")).isEqualTo(prompt);
            assertThat(page.sum("prompt_tokens_by_source_total")).isEqualTo(prompt);
            assertThat(page.sum("prefix_cache_queries_total")).isEqualTo(prompt);
            assertThat(page.sum("prefix_cache_hits_total")).isEqualTo(cached);
            assertThat(page.sum("prompt_tokens_cached_total")).isEqualTo(cached);
            assertThat(page.sum("prompt_tokens_cached_by_source_total")).isEqualTo(cached);
            assertThat(page.sum("generation_tokens_total")).isEqualTo(sum(answers, "/usage/completion_tokens"));
            assertThat(page.sum("request_success_total")).isEqualTo(24);
            assertThat(page.sum("time_to_first_token_seconds_count")).isEqualTo(24);
            assertThat(page.sum("e2e_request_latency_seconds_count")).isEqualTo(24);
            assertThat(page.sum("inter_token_latency_seconds_count"))
                    .isEqualTo(sum(answers, "/usage/completion_tokens") - 24);
            assertThat(page.sum("iteration_tokens_total_sum"))
                    .isEqualTo(prompt - cached + sum(answers, "/usage/completion_tokens"));
            assertThat(page.sum("num_requests_running") + page.sum("num_requests_waiting"))
                    .isZero();
            assertThat(page.sum("kv_cache_usage_perc")).isZero();
        }
    }

    @Test
    void preemptionsUnderAFullCacheAreCountedAndEveryAnswerIsWhole() throws Exception {
        // In real time: six answers of a hundred steps surely meet in the cache, however late a client thread starts.
        try (StandInReplica replica =
                StandInReplica.start(slow().withCache(20, 16).withBatch(8, 256))) {
            List<Callable<JsonNode>> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int from = 100 * i;
                calls.add(() -> post(
                        replica, "/v1/completions", "{\"prompt\":\"" + words(from, 60) + "\",\"max_tokens\":100}"));
            }
            assertThat(sum(inParallel(calls), "/usage/completion_tokens")).isEqualTo(600);
            MetricsText page = MetricsText.of(replica.port());
            assertThat(page.sum("num_preemptions_total")).isPositive();
            assertThat(page.sum("request_num_preemptions_sum")).isEqualTo(page.sum("num_preemptions_total"));
        }
    }

    @Test
    void aClientThatLeavesFreesItsPlaceAtOnceWhetherItRunsOrWaits() throws IOException {
        try (StandInReplica replica = StandInReplica.start(slow().withBatch(1, 256))) {
            String body =
                    "{\"prompt\":\"" + words(0, 50) + "\",\"max_tokens\":5000,\"ignore_eos\":true,\"stream\":true}";
            try (Socket running = new Socket("127.0.0.1", replica.port());
                    Socket whole = new Socket("127.0.0.1", replica.port())) {
                RawAnswer.send(running.getOutputStream(), "POST", "/v1/completions", body);
                awaitQueue(replica, 1, 0);
                try (Socket waiting = new Socket("127.0.0.1", replica.port())) {
                    RawAnswer.send(waiting.getOutputStream(), "POST", "/v1/completions", body);
                    RawAnswer.send(
                            whole.getOutputStream(), "POST", "/v1/completions", body.replace(",\"stream\":true", ""));
                    awaitQueue(replica, 1, 2);
                    assertThat(post(replica, "/reset_prefix_cache", "")
                                    .at("/success")
                                    .asBoolean())
                            .isFalse();
                    awaitLoad(replica, 3);
                }
                awaitQueue(replica, 1, 1);
            }
            awaitQueue(replica, 0, 0);
            MetricsText page = MetricsText.of(replica.port());
            assertThat(page.sum("request_success_total")).isZero();
            assertThat(page.sum("kv_cache_usage_perc")).isZero();
            awaitLoad(replica, 0);
            assertThat(post(replica, "/reset_prefix_cache", "").at("/success").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void theFrontendsTimePassesBeforeARequestIsQueuedAndItMayLeaveMeanwhile() throws IOException {
        // 5 ms and 4.4 ms per 1,000 tokens, a thousand times slower: the engine sees nothing of it yet.
        try (StandInReplica replica = StandInReplica.start(fast().withSpeed(0.001))) {
            try (Socket client = new Socket("127.0.0.1", replica.port())) {
                RawAnswer.send(
                        client.getOutputStream(), "POST", "/v1/completions", "{\"prompt\":\"w6\",\"stream\":true}");
                awaitLoad(replica, 1);
                awaitQueue(replica, 0, 0);
            }
            awaitLoad(replica, 0);
        }
    }

    @Test
    void olderProfilesAndUnknownTimingsAreRefusedByName() {
        assertThatThrownBy(() -> StandInReplica.start(fast().withProfile("0.7.3")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--profile 0.7.3");
        assertThatThrownBy(() -> StandInReplica.start(fast().withTiming("h100")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("h100-8b");
    }

    @Test
    void theProfileDecidesRulesDefaultsAndBudgets() {
        ReplicaOptions plain = ReplicaOptions.defaults();
        EngineConfig newest = EngineSetup.of(plain).config();
        EngineConfig old = EngineSetup.of(plain.withProfile("0.8.5")).config();
        assertThat(newest.rules()).isEqualTo(EngineProfile.newest().rules());
        assertThat(newest.asyncScheduling() && newest.reserveFullIsl()).isTrue();
        assertThat(newest.maxNumSeqs()).isEqualTo(1024);
        assertThat(newest.maxNumBatchedTokens()).isEqualTo(8192);
        assertThat(old.rules()).isEqualTo(EngineProfile.V0_8_3.rules());
        assertThat(old.asyncScheduling() || old.reserveFullIsl()).isFalse();
        assertThat(old.maxNumSeqs()).isEqualTo(256);

        EngineConfig small = EngineSetup.of(plain.withTiming("a4000-qwen3-4b")).config();
        assertThat(small.maxNumSeqs()).isEqualTo(256);
        assertThat(small.maxNumBatchedTokens()).isEqualTo(2048);
        EngineConfig given = EngineSetup.of(plain.withBatch(7, 99)).config();
        assertThat(given.maxNumSeqs()).isEqualTo(7);
        assertThat(given.maxNumBatchedTokens()).isEqualTo(99);
        assertThat(EngineSetup.of(plain.withTiming("cpu-mid")).config().maxNumSeqs())
                .isEqualTo(128);
    }

    @Test
    void anOldServerCountsBlocksUnderItsOldNames() {
        try (StandInReplica replica = StandInReplica.start(fast().withProfile("0.8.5"))) {
            assertThat(RawAnswer.ask(replica.port(), "GET", "/version", "").body())
                    .isEqualTo("{\"version\":\"0.8.5\"}");
            String body = "{\"prompt\":\"" + words(0, 100) + "\",\"max_tokens\":2}";
            post(replica, "/v1/completions", body);
            post(replica, "/v1/completions", body);
            await().atMost(SOON).untilAsserted(() -> {
                MetricsText page = MetricsText.of(replica.port());
                assertThat(page.sum("gpu_prefix_cache_queries_total"))
                        .as("full blocks of 32")
                        .isEqualTo(3 + 3);
                assertThat(page.sum("gpu_prefix_cache_hits_total")).isEqualTo(3);
                assertThat(page.types())
                        .doesNotContainKeys("vllm:prefix_cache_queries_total", "vllm:kv_cache_usage_perc");
            });
        }
    }

    @Test
    void aFullQueueIsRefusedAndTheRefusalIsCounted() throws IOException {
        try (StandInReplica replica = StandInReplica.start(slow().withMaxQueued(1));
                Socket first = new Socket("127.0.0.1", replica.port())) {
            RawAnswer.send(
                    first.getOutputStream(),
                    "POST",
                    "/v1/completions",
                    "{\"prompt\":\"w6\",\"max_tokens\":5000,\"ignore_eos\":true}");
            awaitQueue(replica, 1, 0);
            RawAnswer second = RawAnswer.ask(replica.port(), "POST", "/v1/completions", "{\"prompt\":\"w6\"}");
            assertThat(second.statusLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(second.body()).contains("The queue is full");
            assertThat(MetricsText.of(replica.port()).sum("admission_rejections_total"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aBodyBeyondTheLimitIsRefused() {
        ReplicaOptions small = new ReplicaOptions(
                "127.0.0.1",
                0,
                "stand-in",
                300,
                32,
                8,
                256,
                0,
                50,
                "0.32.0",
                "h100-8b",
                512,
                100,
                2048,
                Optional.empty());
        try (StandInReplica replica = StandInReplica.start(small)) {
            RawAnswer answer =
                    RawAnswer.ask(replica.port(), "POST", "/v1/completions", "{\"prompt\":\"" + words(0, 1000) + "\"}");
            assertThat(answer.statusLine()).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void closingEndsWhatRunsAndFreesThePort() throws IOException {
        StandInReplica replica = StandInReplica.start(slow());
        int port = replica.port();
        try (Socket running = new Socket("127.0.0.1", port)) {
            RawAnswer.send(
                    running.getOutputStream(),
                    "POST",
                    "/v1/completions",
                    "{\"prompt\":\"w6\",\"max_tokens\":5000,\"ignore_eos\":true,\"stream\":true}");
            awaitQueue(replica, 1, 0);
            replica.close();
            running.setSoTimeout(10_000);
            while (running.getInputStream().read() >= 0) {
                // what was sent before the end
            }
        } catch (java.net.SocketException reset) {
            // The connection may be cut hard.
        }
        replica.close(); // a second time does no harm
        try (StandInReplica again = StandInReplica.start(slow().withPort(port))) {
            assertThat(again.port()).isEqualTo(port);
        }
    }

    @Test
    void anthropicTextIsReadAsTheEngineReadsItAndTheBillingLineIsLeftOut() {
        try (StandInReplica replica = StandInReplica.start(fast())) {
            String messages = "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\""
                    + words(0, 64) + "\",\"cache_control\":{\"type\":\"ephemeral\"}}]}]";
            String billed = "\"system\":[{\"type\":\"text\",\"text\":\"x-anthropic-billing-header: cch=%s;\"},"
                    + "{\"type\":\"text\",\"text\":\"" + words(200, 64) + "\"}]";
            String plain = "\"system\":\"" + words(200, 64) + "\"";
            for (String system : List.of(billed.formatted("aaaaa"), billed.formatted("bbbbb"), plain)) {
                JsonNode count = post(replica, "/v1/messages/count_tokens", '{' + system + ',' + messages + '}');
                assertThat(count.at("/input_tokens").asInt()).isEqualTo(3 + 64 + 3 + 64 + 2);
            }
            post(replica, "/v1/messages", '{' + billed.formatted("aaaaa") + ',' + messages + ",\"max_tokens\":2}");
            JsonNode second = post(replica, "/v1/messages", '{' + plain + ',' + messages + ",\"max_tokens\":2}");
            assertThat(second.at("/usage/cache_read_input_tokens").asInt()).isEqualTo(128);
            assertThat(second.at("/usage/input_tokens").asInt()).isEqualTo(136 - 128);
        }
    }

    private static ReplicaOptions fast() {
        return ReplicaOptions.defaults()
                .withPort(0)
                .withCache(300, 32)
                .withBatch(32, 512)
                .withSpeed(1000);
    }

    private static ReplicaOptions slow() {
        return fast().withSpeed(1);
    }

    private static void awaitQueue(StandInReplica replica, int running, int waiting) {
        await().atMost(SOON).untilAsserted(() -> {
            MetricsText page = MetricsText.of(replica.port());
            assertThat(page.sum("num_requests_running")).isEqualTo(running);
            assertThat(page.sum("num_requests_waiting")).isEqualTo(waiting);
        });
    }

    private static void awaitLoad(StandInReplica replica, int requests) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(RawAnswer.ask(replica.port(), "GET", "/load", "")
                                .body())
                        .isEqualTo("{\"server_load\":" + requests + "}"));
    }

    private static JsonNode chat(StandInReplica replica, String messages, int tokens) {
        return post(replica, "/v1/chat/completions", "{\"messages\":[" + messages + "],\"max_tokens\":" + tokens + "}");
    }

    private static JsonNode post(StandInReplica replica, String path, String body) {
        RawAnswer answer = RawAnswer.ask(replica.port(), "POST", path, body);
        assertThat(answer.statusLine()).as(answer.body()).isEqualTo("HTTP/1.1 200 OK");
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    private static List<JsonNode> inParallel(List<Callable<JsonNode>> calls)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<JsonNode> answers = new ArrayList<>();
            for (Future<JsonNode> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }

    private static double sum(List<JsonNode> answers, String path) {
        return answers.stream().mapToInt(answer -> answer.at(path).asInt()).sum();
    }

    private static int cached(JsonNode answer) {
        return answer.at("/usage/prompt_tokens_details/cached_tokens").asInt();
    }

    private static String words(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(i -> "w" + (6 + i)).collect(Collectors.joining(" "));
    }
}
