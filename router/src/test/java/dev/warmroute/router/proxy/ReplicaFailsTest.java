package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.event.ControlEvent.ReplicaDown;
import dev.warmroute.router.event.ControlEvent.ReplicaUp;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision;
import java.io.EOFException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReplicaFailsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String MESSAGES = "/v1/messages";
    private static final String BODY = "{\"model\":\"m\",\"stream\":true}";
    private static final String EVENT = "data: {\"a\":1}\n\n";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void aReplicaThatRefusesIsLeftForAnotherOnce() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                ScriptedReplica alive = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                RunningRouter router = RunningRouter.withUrls("", dead.url(), alive.url());
                RawClient client = router.client()) {
            client.post(CHAT, BODY, "x-session-id: s");
            assertThat(client.answer().status()).isEqualTo(200);
            RequestCompleted completed = router.completed(1).get(0);
            assertThat(completed.attempts()).isEqualTo(2);
            assertThat(completed.replica()).contains("r1");
            RoutingDecision second = router.decisions().get(1);
            assertThat(second.attempt()).isEqualTo(2);
            assertThat(second.kind()).isEqualTo(Kind.FAILOVER);
            assertThat(second.homeBefore()).contains("r0");
            assertThat(second.homeAfter()).contains("r1");
            assertThat(second.candidates().get(0).reason()).contains("failed_this_request");
            assertThat(second.requestId()).isEqualTo(completed.requestId());
            assertThat(router.inFlight()).isZero();
        }
    }

    @Test
    void whenNobodyAnswersTheClientHearsItInItsOwnDialect() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                RefusingPort alsoDead = new RefusingPort();
                RunningRouter router = RunningRouter.withUrls("", dead.url(), alsoDead.url());
                RawClient client = router.client()) {
            client.post(CHAT, BODY);
            RawClient.Answer openAi = client.answer();
            assertThat(openAi.status()).isEqualTo(503);
            assertThat(openAi.hasHeader("retry-after: 1")).isTrue();
            assertThat(MAPPER.readTree(openAi.text()).path("error").path("code").asInt())
                    .isEqualTo(503);
            client.post(MESSAGES, BODY);
            RawClient.Answer anthropic = client.answer();
            assertThat(anthropic.status()).isEqualTo(529);
            assertThat(anthropic.hasHeader("retry-after: 1")).isTrue();
            JsonNode error = MAPPER.readTree(anthropic.text());
            assertThat(error.path("type").asText()).isEqualTo("error");
            assertThat(error.path("error").path("type").asText()).isEqualTo("overloaded_error");
            assertThat(router.completed(2)).allMatch(c -> c.endedBy() != EndedBy.FINISHED && c.attempts() <= 2);
            assertThat(openAi.text() + anthropic.text()).doesNotContain("127.0.0.1");
            assertThat(router.inFlight()).isZero();
        }
    }

    @Test
    void aConnectionThatWentStaleCostsNothing() throws Exception {
        AtomicInteger keptConnection = new AtomicInteger(-1);
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    if (request.connection() == keptConnection.get()
                            && request.text().contains("second")) {
                        connection.close();
                    } else {
                        ScriptedReplica.json(200, "{}").answer(request, connection);
                    }
                });
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient client = router.client()) {
            client.post(CHAT, "{\"model\":\"m\",\"user\":\"first\"}");
            assertThat(client.answer().status()).isEqualTo(200);
            int kept = replica.take().connection();
            keptConnection.set(kept);
            client.post(CHAT, "{\"model\":\"m\",\"user\":\"second\"}");
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(replica.take().connection()).isEqualTo(kept);
            assertThat(replica.take().connection()).isNotEqualTo(kept);
            assertThat(router.completed(2)).allMatch(c -> c.attempts() == 1 && c.endedBy() == EndedBy.FINISHED);
            assertThat(router.decisions()).hasSize(2);
            assertThat(router.server().status().totals().retries()).isEqualTo(1);
        }
    }

    @Test
    void aRequestThatMayHaveBeenWorkedOnIsNotSentTwice() throws Exception {
        try (ScriptedReplica a = new ScriptedReplica((request, connection) -> connection.close());
                ScriptedReplica b = new ScriptedReplica((request, connection) -> connection.close());
                RunningRouter router = RunningRouter.inFrontOf(a, b);
                RawClient client = router.client()) {
            client.post(CHAT, BODY);
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(MAPPER.readTree(answer.text())
                            .path("error")
                            .path("message")
                            .asText())
                    .contains("before it answered");
            assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.REPLICA);
            assertThat(a.requestsWaiting() + b.requestsWaiting()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatIsNotHttpIsABadGateway() throws Exception {
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    connection.send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                    connection.awaitGone();
                });
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient client = router.client()) {
            client.post(MESSAGES, BODY);
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(MAPPER.readTree(answer.text()).path("error").path("type").asText())
                    .isEqualTo("api_error");
            client.post(MESSAGES, BODY);
            assertThat(client.answer().status()).isEqualTo(502);
        }
    }

    @Test
    void aStreamThatBreaksOffBetweenEventsEndsWithAnErrorEventAndNotCleanly() throws Exception {
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    connection.send(ScriptedReplica.STREAM_HEAD);
                    connection.chunk(EVENT);
                    connection.close();
                });
                RunningRouter router = RunningRouter.inFrontOf(replica)) {
            for (String path : new String[] {CHAT, MESSAGES}) {
                try (RawClient client = router.client()) {
                    client.post(path, BODY);
                    client.head();
                    String body = new String(client.rest(), StandardCharsets.UTF_8);
                    String first = Integer.toHexString(EVENT.length()) + "\r\n" + EVENT + "\r\n";
                    assertThat(body).startsWith(first).doesNotContain("\r\n0\r\n");
                    String chunk = body.substring(first.length());
                    String event = chunk.substring(chunk.indexOf("\r\n") + 2, chunk.length() - 2);
                    assertThat(Integer.parseInt(chunk.substring(0, chunk.indexOf("\r\n")), 16))
                            .isEqualTo(event.length());
                    assertThat(event).endsWith("\n\n");
                    JsonNode error = MAPPER.readTree(event.substring(event.indexOf("data: ") + 6));
                    if (path.equals(CHAT)) {
                        assertThat(event).startsWith("data: ");
                        assertThat(error.path("error").path("code").asInt()).isEqualTo(502);
                    } else {
                        assertThat(event).startsWith("event: error\ndata: ");
                        assertThat(error.path("error").path("type").asText()).isEqualTo("api_error");
                    }
                }
            }
            assertThat(router.completed(2)).allSatisfy(c -> {
                assertThat(c.endedBy()).isEqualTo(EndedBy.REPLICA);
                assertThat(c.status()).hasValue(200);
                assertThat(c.error()).hasValueSatisfying(e -> assertThat(e).contains("in the middle of its answer"));
            });
            assertThat(router.inFlight()).isZero();
        }
    }

    @Test
    void anAnswerThatBreaksOffAnywhereElseIsCutAndNeverEndsCleanly() throws Exception {
        String[] beginnings = {
            ScriptedReplica.STREAM_HEAD + "ff\r\ndata: {\"a\"",
            ScriptedReplica.STREAM_HEAD + "5\r\ndata:\r\n",
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n",
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{\"a\"",
        };
        for (String beginning : beginnings) {
            try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                        connection.send(beginning);
                        connection.reset();
                    });
                    RunningRouter router = RunningRouter.inFrontOf(replica);
                    RawClient client = router.client()) {
                client.post(CHAT, BODY);
                assertThatThrownBy(client::answer)
                        .as(beginning)
                        .isInstanceOfAny(EOFException.class, SocketException.class);
                router.completed(1);
            }
        }
    }

    @Test
    void aReplicaIsTakenOutAfterThreeRefusalsAndComesBack() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                ScriptedReplica other = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                RunningRouter router = RunningRouter.withUrls("", dead.url(), other.url())) {
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                try (RawClient client = router.client()) {
                    client.post(CHAT, BODY);
                    assertThat(client.answer().status()).isEqualTo(200);
                }
                return !router.sink().all(ReplicaDown.class).isEmpty();
            });
            assertThat(router.sink().all(ReplicaDown.class).get(0).replica()).isEqualTo("r0");
            try (RawClient client = router.client()) {
                client.post(CHAT, BODY);
                assertThat(client.answer().status()).isEqualTo(200);
            }
            RoutingDecision last = router.decisions().get(router.decisions().size() - 1);
            assertThat(last.attempt()).isEqualTo(1);
            assertThat(last.candidates().get(0).eligible()).isFalse();
            dead.release();
            try (ScriptedReplica back = new ScriptedReplica(dead.port(), ScriptedReplica.json(200, "{}"))) {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> router.sink().all(ReplicaUp.class).stream()
                                .anyMatch(u -> u.replica().equals("r0")));
                try (RawClient client = router.client()) {
                    client.post(CHAT, BODY);
                    assertThat(client.answer().status()).isEqualTo(200);
                }
                back.take();
            }
        }
    }

    @Test
    void aReplicaThatWaitsForASlowClientIsNotSilent() throws Exception {
        long total = 64L << 20;
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    if (request.text().contains("silent")) {
                        connection.awaitGone();
                        return;
                    }
                    connection.send("HTTP/1.1 200 OK\r\ncontent-length: " + total + "\r\n\r\n");
                    byte[] block = new byte[1 << 16];
                    for (long n = 0; n < total; n += block.length) {
                        connection.send(block);
                    }
                });
                RunningRouter router = RunningRouter.with("limits: {first_byte: 3s, idle: 1s}", replica);
                RawClient slow = router.client();
                RawClient other = router.client()) {
            slow.post(CHAT, BODY);
            slow.head();
            other.post(CHAT, "{\"model\":\"m\",\"user\":\"silent\"}");
            assertThat(other.answer().status()).as("three seconds later").isEqualTo(504);
            for (long left = total; left > 0; ) {
                left -= slow.read(left);
            }
            assertThat(router.completed(2).get(1).endedBy()).isEqualTo(EndedBy.FINISHED);
        }
    }

    @Test
    void silenceIsOnlyAFailureWhereTheOperatorSaysSo() throws Exception {
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    if (request.text().contains("begin")) {
                        connection.send(ScriptedReplica.STREAM_HEAD);
                        connection.chunk(EVENT);
                    }
                    connection.awaitGone();
                });
                RunningRouter router = RunningRouter.with("limits: {first_byte: 300ms, idle: 300ms}", replica);
                RawClient client = router.client()) {
            client.post(CHAT, BODY);
            assertThat(client.answer().status()).isEqualTo(504);
            client.post(CHAT, "{\"model\":\"m\",\"user\":\"begin\"}");
            client.head();
            assertThat(new String(client.rest(), StandardCharsets.UTF_8))
                    .contains("stopped in the middle of its answer");
            assertThat(router.completed(2)).allMatch(c -> c.endedBy() == EndedBy.REPLICA);
        }
    }
}
