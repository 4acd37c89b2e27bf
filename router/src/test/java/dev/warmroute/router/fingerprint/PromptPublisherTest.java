package dev.warmroute.router.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptHasher;
import dev.warmroute.router.prompt.PromptListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PromptPublisherTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final byte[] SECRET = "a secret for tests".getBytes(UTF_8);
    private static final String CHAT = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"raw-text\"}]}";
    private static final int BLOCK = 4;

    private final List<Event> told = new CopyOnWriteArrayList<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private HttpServer replica;

    @BeforeEach
    void start() throws IOException {
        replica = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        replica.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        replica.createContext("/", this::answer);
        replica.start();
    }

    @AfterEach
    void stop() {
        replica.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        keys.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst("authorization"))
                .orElse(""));
        exchange.getRequestBody().readAllBytes();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        String answer = answers.getOrDefault(exchange.getRequestURI().getPath(), "");
        byte[] bytes = answer.replaceFirst("^\\d{3} ", "").getBytes(UTF_8);
        exchange.sendResponseHeaders(
                answer.isEmpty() ? 404 : answer.matches("\\d{3} .*") ? Integer.parseInt(answer.substring(0, 3)) : 200,
                bytes.length + 1);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().write(' ');
        exchange.close();
    }

    private PromptPublisher publisher(boolean exact) {
        return new PromptPublisher(
                event -> told.add(event.apply(new RouterIdentity("test", 1, told.size()))),
                SECRET,
                "salt-1",
                exact,
                new PromptPublisher.Replicas(replicaId -> BLOCK, replicaId -> Optional.of("Bearer the-key")));
    }

    private PromptListener.Request request(String id, String path, String body) {
        Session session =
                new Session(Optional.of("s"), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty());
        String url = "http://127.0.0.1:" + replica.getAddress().getPort();
        return new PromptListener.Request(id, session, "m", path, "r0", url, body.getBytes(UTF_8));
    }

    private PromptListener.Request chat(String id) {
        return request(id, "/v1/chat/completions", CHAT);
    }

    private List<PromptBlocks> told(int count) {
        await().atMost(SOON).until(() -> told.size() >= count);
        return told.stream().map(PromptBlocks.class::cast).toList();
    }

    private static String tokens(int count) {
        return "{\"count\":" + count + ",\"max_model_len\":9,\"tokens\":"
                + LongStream.range(0, count).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]")) + "}";
    }

    @Test
    void aChatIsToldInTheEnginesBlocks() {
        answers.put("/tokenize", tokens(10));
        try (PromptPublisher publisher = publisher(true)) {
            publisher.prompt(chat("q1"));
            PromptBlocks blocks = told(1).get(0);
            assertThat(blocks.unit()).isEqualTo("tokens");
            assertThat(blocks.blockSize()).isEqualTo(BLOCK);
            assertThat(blocks.length()).isEqualTo(10);
            PromptChain chain =
                    new PromptHasher(SECRET).tokens(LongStream.range(0, 10).toArray(), BLOCK, "");
            assertThat(PromptChain.hashes(blocks.hashes())).containsExactly(chain.hash(0), chain.hash(1));
            assertThat(keys).containsExactly("Bearer the-key");
            assertThat(publisher.totals()).hasToString("PromptTotals[inTokens=1, inBytes=0, dropped=0, unanswered=0]");
        }
    }

    @Test
    void withoutTheWishForExactnessNobodyIsAsked() {
        try (PromptPublisher publisher = publisher(false)) {
            publisher.prompt(chat("q1"));
            publisher.prompt(request("q2", "/v1/completions", "{\"prompt\":[1,2,3,4,9007199254740991]}"));
            List<PromptBlocks> blocks = told(2);
            assertThat(blocks).extracting(PromptBlocks::unit).containsExactly("bytes", "tokens");
            assertThat(blocks.get(1).length()).isEqualTo(5);
            assertThat(asked.get()).isZero();
        }
    }

    @Test
    void anthropicMessagesAreExactOnlyIfTheEngineCountsTheSame() {
        String body = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";
        answers.put("/tokenize", tokens(10));
        answers.put("/v1/messages/count_tokens", "{\"input_tokens\":10}");
        try (PromptPublisher publisher = publisher(true)) {
            publisher.prompt(request("q1", "/v1/messages", body));
            told(1);
            answers.put("/v1/messages/count_tokens", "{\"input_tokens\":11}");
            publisher.prompt(request("q2", "/v1/messages", body));
            told(2);
            answers.put("/v1/messages/count_tokens", "400 {}");
            publisher.prompt(request("q3", "/v1/messages", body));
            assertThat(told(3)).extracting(PromptBlocks::unit).containsExactly("tokens", "bytes", "bytes");
            assertThat(publisher.totals().unanswered()).isEqualTo(1);
        }
    }

    @Test
    void aTokenizerThatDoesNotAnswerIsCountedAndLeftAlone() {
        answers.put("/tokenize", "500 raw-error");
        try (PromptPublisher publisher = publisher(true)) {
            publisher.prompt(chat("q1"));
            told(1);
            publisher.prompt(chat("q2"));
            assertThat(told(2)).extracting(PromptBlocks::unit).containsExactly("bytes", "bytes");
            assertThat(asked.get()).isEqualTo(1);
            assertThat(publisher.totals()).hasToString("PromptTotals[inTokens=0, inBytes=2, dropped=0, unanswered=1]");
        }
    }

    @Test
    void answersThatAreNoTokensAreNone() {
        for (String answer : List.of(
                "{}", "[]", "not json", "{\"tokens\":[1,\"a\"]}", "{\"tokens\":[1,2", "400 {\"tokens\":[1,2]}")) {
            answers.put("/tokenize", answer);
            told.clear();
            try (PromptPublisher publisher = publisher(true)) {
                publisher.prompt(chat("q1"));
                assertThat(told(1).get(0).unit()).as(answer).isEqualTo("bytes");
                assertThat(publisher.totals().unanswered()).isEqualTo(1);
            }
        }
    }

    /** Telling never waits: behind a tokenizer that hangs, prompts are dropped and counted. */
    @Test
    void whatCannotBeKeptUpWithIsDroppedAndCounted() {
        answers.put("/tokenize", tokens(10));
        gate = new CountDownLatch(1);
        try (PromptPublisher publisher = publisher(true)) {
            for (int i = 0; i < 2_000; i++) {
                publisher.prompt(chat("q" + i));
            }
            long dropped = publisher.totals().dropped();
            assertThat(dropped).isBetween(900L, 976L); // 1,024 wait, at most 8 are being asked about
            gate.countDown();
            List<PromptBlocks> blocks = told(2_000 - (int) dropped);
            assertThat(blocks).hasSize(2_000 - (int) dropped);
            assertThat(blocks)
                    .extracting(b -> Integer.parseInt(b.requestId().substring(1)))
                    .isSorted();
        }
    }

    /** What there is no room for is dropped before its body is copied. */
    @Test
    void asLongAsThereIsNoRoomNoPromptIsWanted() {
        answers.put("/tokenize", tokens(10));
        gate = new CountDownLatch(1);
        try (PromptPublisher publisher = publisher(true)) {
            int wanted = 0;
            for (int i = 0; i < 2_000; i++) {
                if (publisher.wanted()) {
                    publisher.prompt(chat("q" + i));
                    wanted++;
                }
            }
            assertThat(publisher.totals().dropped()).isEqualTo(2_000 - wanted).isBetween(900L, 976L);
            gate.countDown();
            assertThat(told(wanted)).hasSize(wanted);
            assertThat(publisher.wanted()).isTrue();
        }
    }

    @Test
    void largePromptsAreBoundedByTheirBytes() {
        answers.put("/tokenize", tokens(10));
        gate = new CountDownLatch(1);
        String large = "{\"model\":\"m\",\"prompt\":\"" + "a".repeat(8 << 20) + "\"}";
        try (PromptPublisher publisher = publisher(true)) {
            publisher.prompt(chat("first"));
            for (int i = 0; i < 30; i++) {
                publisher.prompt(request("q" + i, "/v1/completions", large));
            }
            assertThat(publisher.totals().dropped())
                    .isBetween(21L, 29L); // 1 waits within 16 MiB, at most 8 are asked about
            gate.countDown();
        }
    }

    @Test
    void aCacheSaltKeepsPromptsApartAsTheEngineDoes() {
        answers.put("/tokenize", tokens(10));
        try (PromptPublisher publisher = publisher(true)) {
            publisher.prompt(chat("q1"));
            publisher.prompt(
                    request("q2", "/v1/chat/completions", CHAT.replace("\"model\"", "\"cache_salt\":\"t\",\"model\"")));
            publisher.prompt(
                    request("q3", "/v1/chat/completions", CHAT.replace("\"model\"", "\"cache_salt\":\"t\",\"model\"")));
            assertThat(told(3)).extracting(PromptBlocks::sharedBlocks).containsExactly(0, 0, 2);
        }
    }

    @Test
    void whatGoesOnFromAStoredResponseTellsNothing() {
        try (PromptPublisher publisher = publisher(false)) {
            publisher.prompt(
                    request("q1", "/v1/responses", "{\"input\":\"more\",\"previous_response_id\":\"resp_1\"}"));
            publisher.prompt(request("q2", "/v1/responses", "{\"input\":\"more\",\"previous_response_id\":null}"));
            assertThat(told(1)).extracting(PromptBlocks::requestId).containsExactly("q2");
        }
    }

    @Test
    void noTextIsInAnyEvent() {
        answers.put("/tokenize", tokens(10));
        try (PromptPublisher publisher = publisher(true)) {
            publisher.prompt(chat("q1"));
            publisher.prompt(request("q2", "/v1/responses", "{\"input\":\"raw-text\"}"));
            assertThat(told(2).toString()).doesNotContain("raw-").doesNotContain("the-key");
        }
    }
}
