package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.broker.SharedBroker;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.router.publish.Topics;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other routers were seen to do wrong, line by line, and what is owed here instead. */
class PeersMistakesTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String MESSAGES = "/v1/messages?beta=true";
    private static final String STREAMED = "{\"model\":\"m\",\"stream\":true}";
    private static final String PLAIN = "{\"model\":\"m\"}";
    private static final int SESSIONS = 60;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static ScriptedReplica answering() {
        return new ScriptedReplica(ScriptedReplica.json(200, "{}"));
    }

    @Test
    @DisplayName("43 ms at concurrency 1 from Nagle with delayed acknowledgements")
    void smallWritesLeaveAtOnce() throws Exception {
        TransportTest.assertBothSides(
                Transport.of(Epoll.isAvailable(), ByteBufAllocator.DEFAULT), ChannelOption.TCP_NODELAY);
    }

    /** One request of a session, as a client of that kind sends it. */
    private interface Speaker {
        void ask(RawClient client, String session) throws IOException;
    }

    @Test
    @DisplayName(
            "sessions of Claude Code, Codex, prompt_cache_key and user not recognised: all 60 sessions on one replica")
    void everyClientsOwnIdsAreRecognised() throws Exception {
        Map<String, Speaker> speakers = Map.of(
                "Claude Code", (c, s) -> c.post(MESSAGES, STREAMED, "X-Claude-Code-Session-Id: " + s),
                "Claude Code's body",
                        (c, s) -> c.post(
                                MESSAGES,
                                "{\"model\":\"m\",\"metadata\":{\"user_id\":\"{\\\"device_id\\\":\\\"d\\\",\\\"session_id\\\":\\\""
                                        + s + "\\\"}\"}}"),
                "Codex", (c, s) -> c.post("/v1/responses", STREAMED, "session-id: " + s),
                "older Codex", (c, s) -> c.post("/v1/responses", STREAMED, "session_id: " + s),
                "prompt_cache_key", (c, s) -> c.post(CHAT, "{\"model\":\"m\",\"prompt_cache_key\":\"" + s + "\"}"),
                "user", (c, s) -> c.post(CHAT, "{\"model\":\"m\",\"user\":\"" + s + "\"}"));
        for (Map.Entry<String, Speaker> speaker : speakers.entrySet()) {
            try (ScriptedReplica a = answering();
                    ScriptedReplica b = answering();
                    ScriptedReplica c = answering();
                    RunningRouter router = RunningRouter.inFrontOf(a, b, c);
                    RawClient client = router.client()) {
                for (int turn = 0; turn < 2; turn++) {
                    for (int i = 0; i < SESSIONS; i++) {
                        speaker.getValue()
                                .ask(
                                        client,
                                        UUID.nameUUIDFromBytes(new byte[] {(byte) i})
                                                .toString());
                        assertThat(client.answer().status()).isEqualTo(200);
                    }
                }
                List<RoutingDecision> decisions = router.decisions();
                assertThat(decisions.stream().map(d -> d.session().key()).distinct())
                        .as(speaker.getKey())
                        .hasSize(SESSIONS);
                Map<String, Long> placed = decisions.stream()
                        .filter(d -> d.kind() == Kind.PLACED)
                        .collect(Collectors.groupingBy(d -> d.chosen().orElseThrow(), Collectors.counting()));
                assertThat(placed.values()).as(speaker.getKey()).containsExactly(20L, 20L, 20L);
                assertThat(decisions.stream().filter(d -> d.kind() == Kind.STICKY))
                        .as(speaker.getKey())
                        .hasSize(SESSIONS);
            }
        }
    }

    @Test
    @DisplayName("a client that leaves while the stream stalls is noticed only with the next chunk, up to 8 s later")
    void aClientThatLeavesIsNoticedAtOnce() throws Exception {
        String[] phases = {"", ScriptedReplica.STREAM_HEAD, ScriptedReplica.STREAM_HEAD + "9\r\ndata: a\n\n\r\n"};
        for (String phase : phases) {
            for (String body : new String[] {STREAMED, PLAIN}) {
                CountDownLatch asked = new CountDownLatch(1);
                CountDownLatch gone = new CountDownLatch(1);
                try (ScriptedReplica stalled = new ScriptedReplica((request, connection) -> {
                            connection.send(phase);
                            asked.countDown();
                            connection.awaitGone(); // sends nothing more: only the router can tell it
                            gone.countDown();
                        });
                        RunningRouter router = RunningRouter.inFrontOf(stalled)) {
                    try (RawClient client = router.client()) {
                        client.post(CHAT, body);
                        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
                        if (!phase.isEmpty()) {
                            client.head();
                        }
                    }
                    assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
                    assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.CLIENT);
                    assertThat(router.inFlight()).isZero();
                }
            }
        }
    }

    @Test
    @DisplayName("a replica killed mid-stream: a truncated answer without a word")
    void aStreamThatBreaksNeverEndsCleanly() throws Exception {
        for (String path : new String[] {CHAT, MESSAGES}) {
            try (ScriptedReplica killed = new ScriptedReplica((request, connection) -> {
                        connection.send(ScriptedReplica.STREAM_HEAD);
                        connection.chunk("data: {\"a\":1}\n\n");
                        connection.reset();
                    });
                    RunningRouter router = RunningRouter.inFrontOf(killed);
                    RawClient client = router.client()) {
                client.post(path, STREAMED);
                client.head();
                List<String> events = new ArrayList<>();
                assertThatThrownBy(() -> {
                            while (true) {
                                String line = client.line();
                                if (line.startsWith("data: ")) {
                                    events.add(line.substring(6));
                                }
                                assertThat(line).isNotEqualTo("0");
                            }
                        })
                        .isInstanceOfAny(EOFException.class, SocketException.class);
                JsonNode last = MAPPER.readTree(events.get(events.size() - 1));
                assertThat(last.has("error")).isTrue();
                assertThat(last.path("type").asText()).isEqualTo(path.equals(MESSAGES) ? "error" : "");
            }
        }
    }

    @Test
    @DisplayName("request bodies re-serialised: fields added, dropped, reordered; query dropped")
    void aRequestArrivesAsItWasSent() throws Exception {
        String odd =
                "{ \"z\": 1.0, \"model\":\"m\",\"a\":[ ],\"unknown_field\":{\"x\":null},\"a\":1e400,\n\"t\":\"\\u00e9\u00e9\" }";
        try (ScriptedReplica replica = answering();
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient client = router.client()) {
            for (String path : new String[] {
                CHAT, "/v1/completions", "/v1/responses", "/v1/embeddings", "/v1/messages", "/v1/rerank"
            }) {
                client.post(path + "?beta=true&x=%2F", odd, "X-Odd:  two  blanks");
                assertThat(client.answer().status()).isEqualTo(200);
                ScriptedReplica.Request sent = replica.take();
                assertThat(sent.text()).isEqualTo(odd);
                assertThat(sent.firstLine()).isEqualTo("POST " + path + "?beta=true&x=%2F HTTP/1.1");
                assertThat(sent.head()).contains("\r\nX-Odd:  two  blanks\r\n");
            }
        }
    }

    @Test
    @DisplayName("five attempts on the same failing replica; 500 with internal URLs, no Retry-After")
    void oneRetryElsewhereAndAPlainErrorInTheDialect() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                RefusingPort alsoDead = new RefusingPort();
                RunningRouter router = RunningRouter.withUrls("", dead.url(), alsoDead.url());
                RawClient client = router.client()) {
            for (String path : new String[] {CHAT, MESSAGES}) {
                client.post(path, STREAMED);
                RawClient.Answer answer = client.answer();
                assertThat(answer.status()).isEqualTo(path.equals(CHAT) ? 503 : 529);
                assertThat(answer.hasHeader("retry-after: 1")).isTrue();
                assertThat(answer.head() + answer.text())
                        .doesNotContain("127.0.0.1", "localhost", "http://", "" + dead.port());
            }
            assertThat(router.completed(2)).allMatch(c -> c.attempts() <= 2);
            List<RoutingDecision> first = router.decisions().subList(0, 2);
            assertThat(first).extracting(RoutingDecision::chosen).containsExactly(Optional.of("r0"), Optional.of("r1"));
        }
    }

    @Test
    @DisplayName("homes lost on restart (17-34 of 60 sessions kept), a recovered replica left empty")
    void homesSurviveARestartAndARecoveredReplicaIsUsed(@TempDir Path directory) throws Exception {
        String prefix = "peers-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.bootstrap()))) {
            assertThat(Topics.createMissing(admin, prefix, 3, Duration.ofHours(1)))
                    .contains(Topic.HOMES.name(prefix));
        }
        try (RefusingPort dead = new RefusingPort();
                ScriptedReplica a = new ScriptedReplica(ScriptedReplica.json(200, "{\"by\":\"a\"}"));
                ScriptedReplica b = new ScriptedReplica(ScriptedReplica.json(200, "{\"by\":\"b\"}"))) {
            RouterConfig config = RouterConfig.parse(
                    "peers",
                    "listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\ninstance: peers\n"
                            + "data_dir: '" + directory + "'\nkafka: {bootstrap: '" + SharedBroker.bootstrap()
                            + "', prefix: '" + prefix + "'}\n"
                            + "models:\n  - {name: m, policy: warden, replicas: [{id: r0, url: '" + a.url()
                            + "'}, {id: r1, url: '" + b.url()
                            + "'}, {id: r2, url: '" + dead.url() + "'}]}\n");
            Map<String, String> homes = new HashMap<>();
            try (LiveRouter router = LiveRouter.start(config)) {
                for (int i = 0; i < SESSIONS; i++) {
                    homes.put("s" + i, ask(router, "s" + i));
                }
            }
            assertThat(new HashSet<>(homes.values())).containsExactlyInAnyOrder("{\"by\":\"a\"}", "{\"by\":\"b\"}");
            try (LiveRouter router = LiveRouter.start(config)) {
                for (Map.Entry<String, String> home : homes.entrySet()) {
                    assertThat(ask(router, home.getKey())).isEqualTo(home.getValue());
                }
                dead.release();
                try (ScriptedReplica back =
                        new ScriptedReplica(dead.port(), ScriptedReplica.json(200, "{\"by\":\"c\"}"))) {
                    assertThat(back.port()).isEqualTo(dead.port());
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> router.server()
                                    .status()
                                    .models()
                                    .get(0)
                                    .replicas()
                                    .get(2)
                                    .eligible());
                    for (int i = 0; i < 5; i++) {
                        assertThat(ask(router, "new" + i)).isEqualTo("{\"by\":\"c\"}");
                    }
                }
            }
        }
    }

    private static String ask(LiveRouter router, String session) throws IOException {
        try (RawClient client = new RawClient(router.server().port())) {
            client.post(CHAT, PLAIN, "x-session-id: " + session);
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(200);
            return answer.text();
        }
    }

    @Test
    @DisplayName("no record of a decision's candidates")
    void theEventNamesEveryCandidateAndWhyItWasOrWasNotChosen() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                ScriptedReplica alive = answering();
                RunningRouter router = RunningRouter.withUrls("", dead.url(), alive.url());
                RawClient client = router.client()) {
            client.post(CHAT, PLAIN, "x-session-id: s");
            assertThat(client.answer().status()).isEqualTo(200);
            RoutingDecision retry = router.decisions().get(1);
            assertThat(retry.candidates()).extracting(Candidate::replica).containsExactly("r0", "r1");
            assertThat(retry.candidates()).extracting(Candidate::eligible).containsExactly(false, true);
            assertThat(retry.candidates().get(0).reason()).contains("failed_this_request");
            assertThat(retry.candidates().get(1).score()).isPresent();
            assertThat(retry.policy().config()).containsKey("live_weight");
        }
    }

    @Test
    @DisplayName("every new prompt on one replica while the cache is empty")
    void newConversationsAreSpreadByLoad() throws Exception {
        ScriptedReplica[] replicas = new ScriptedReplica[4];
        for (int i = 0; i < replicas.length; i++) {
            replicas[i] = new ScriptedReplica((request, connection) -> connection.awaitGone());
        }
        List<RawClient> clients = new ArrayList<>();
        try (RunningRouter router = RunningRouter.inFrontOf(replicas)) {
            for (int i = 0; i < 64; i++) {
                RawClient client = router.client();
                clients.add(client);
                client.post(
                        CHAT,
                        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"prompt number " + i + "\"}]}");
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> router.decisions().size() == 64);
            Map<Optional<String>, Long> placed = router.decisions().stream()
                    .collect(Collectors.groupingBy(RoutingDecision::chosen, Collectors.counting()));
            assertThat(placed.values()).containsExactly(16L, 16L, 16L, 16L);
            for (RawClient client : clients) {
                client.close();
            }
            router.completed(64);
        } finally {
            for (ScriptedReplica replica : replicas) {
                replica.close();
            }
        }
    }
}
