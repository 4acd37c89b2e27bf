package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = "{\"model\":\"m\"}";
    private ScriptedReplica replica;
    private RunningRouter router;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        replica = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
        router = RunningRouter.with("limits: {max_body: 10KB}", replica);
        client = router.client();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        router.close();
        replica.close();
    }

    private void connectionStillWorks() throws Exception {
        client.post(CHAT, BODY);
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsSentAndTheConnectionSurvives() throws Exception {
        client.send("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(413);
        client.send("x".repeat(20_000));
        connectionStillWorks();
        assertThat(router.completed(1)).hasSize(1);
    }

    @Test
    void aChunkedBodyIsStoppedAtTheCap() throws Exception {
        client.send("POST /v1/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2000\r\n"
                + "x".repeat(0x2000) + "\r\n2000\r\nxx");
        RawClient.Answer answer = client.answer();
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.hasHeader("connection: close")).isTrue();
        assertThat(answer.text()).contains("request_too_large");
        assertThat(client.ended()).isTrue();
        assertThat(router.decisions()).isEmpty();
    }

    @Test
    void aClientThatWaitsForAWordGetsIt() throws Exception {
        client.send("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: " + BODY.length()
                + "\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(100);
        client.send(BODY);
        assertThat(client.answer().status()).isEqualTo(200);
        assertThat(replica.take().head()).doesNotContainIgnoringCase("expect");
        client.send("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 20000\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(413);
        assertThat(client.ended()).isTrue();
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        replica.script((request, connection) ->
                ScriptedReplica.json(200, request.text()).answer(request, connection));
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            String body = "{\"model\":\"m\",\"n\":" + i + "}";
            requests.append("POST ")
                    .append(CHAT)
                    .append(" HTTP/1.1\r\nHost: x\r\nContent-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body)
                    .append("GET /v1/models/m HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        client.send(requests.toString());
        for (int i = 0; i < 50; i++) {
            assertThat(client.answer().text()).isEqualTo("{\"model\":\"m\",\"n\":" + i + "}");
            assertThat(client.answer().text()).startsWith("{\"id\":\"m\"");
        }
        router.completed(50);
    }

    static Stream<Arguments> smuggled() {
        return Stream.of(
                Arguments.of("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG", 400),
                Arguments.of("Content-Length: 6\r\nContent-Length: 5\r\n\r\n123456", 400),
                Arguments.of("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
                Arguments.of("Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n", 400),
                Arguments.of("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
                Arguments.of("X: a\r\n Content-Length: 5\r\n\r\n12345", 400),
                Arguments.of("Transfer-Encoding: chunked\r\n\r\n5\n12345\r\n0\r\n\r\n", 400),
                Arguments.of("X: " + "a".repeat(70_000) + "\r\n\r\n", 431));
    }

    @ParameterizedTest
    @MethodSource("smuggled")
    void whatMightHideASecondRequestIsRefusedAndTheConnectionEnds(String rest, int status) throws Exception {
        client.send("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\n" + rest);
        RawClient.Answer answer = client.answer();
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.hasHeader("connection: close")).isTrue();
        assertThat(client.ended()).isTrue();
        assertThat(replica.requestsWaiting()).isZero();
    }

    @Test
    void aLongPathIsRefused() throws Exception {
        client.send("GET /" + "a".repeat(20_000));
        assertThat(client.answer().status()).isEqualTo(414);
    }

    @Test
    void anOldClientGetsAnswersThatItUnderstands() throws Exception {
        replica.script((request, connection) ->
                connection.send(ScriptedReplica.STREAM_HEAD + "9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n"));
        client.send("POST " + CHAT + " HTTP/1.0\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY);
        RawClient.Answer answer = client.answer();
        assertThat(answer.text()).isEqualTo("data: a\n\ndata: b\n\n");
        assertThat(answer.head()).doesNotContainIgnoringCase("transfer-encoding");
        assertThat(answer.hasHeader("connection: close")).isTrue();
    }

    @Test
    void anOldClientThatWantsToGoOnMay() throws Exception {
        for (int i = 0; i < 2; i++) {
            client.send("POST " + CHAT + " HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: " + BODY.length()
                    + "\r\n\r\n" + BODY);
            RawClient.Answer answer = client.answer();
            assertThat(answer.text()).isEqualTo("{}");
            assertThat(answer.hasHeader("connection: keep-alive")).isTrue();
        }
    }

    @Test
    void answersWithoutABodyEndWhereTheirHeadEnds() throws Exception {
        replica.script((request, connection) -> connection.send(
                request.firstLine().startsWith("HEAD")
                        ? "HTTP/1.1 404 Not Found\r\ncontent-length: 22\r\n\r\n"
                        : "HTTP/1.1 304 Not Modified\r\ncontent-length: 22\r\n\r\n"));
        client.send("HEAD /version HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.answer(true).status()).isEqualTo(404);
        client.post(CHAT, BODY);
        assertThat(client.answer().status()).isEqualTo(304);
        replica.script(ScriptedReplica.json(200, "{}"));
        connectionStillWorks();
    }

    @Test
    void earlyHintsGoThroughAndAnInterimContinueDoesNot() throws Exception {
        replica.script((request, connection) ->
                connection.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
        client.post(CHAT, BODY);
        assertThat(client.answer().status()).isEqualTo(103);
        assertThat(client.answer().text()).isEqualTo("{}");
    }

    @Test
    void anAnswerThatEndsWithItsConnectionEndsTheClientsToo() throws Exception {
        replica.script((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nall of it");
            connection.close();
        });
        client.post(CHAT, BODY);
        RawClient.Answer answer = client.answer();
        assertThat(answer.text()).isEqualTo("all of it");
        assertThat(answer.hasHeader("connection: close")).isTrue();
        assertThat(router.completed(1).get(0).status()).hasValue(200);
    }

    @Test
    void whatBelongsToTheReplicasConnectionStaysThere() throws Exception {
        replica.script((request, connection) -> {
            connection.send(
                    "HTTP/1.1 200 OK\r\nconnection: close\r\nkeep-alive: timeout=5\r\nx-kept: 1\r\ncontent-length: 2\r\n\r\n{}");
            connection.close();
        });
        for (int i = 0; i < 2; i++) {
            client.post(CHAT, BODY);
            RawClient.Answer answer = client.answer();
            assertThat(answer.head()).isEqualTo("HTTP/1.1 200 OK\r\nx-kept: 1\r\ncontent-length: 2\r\n\r\n");
        }
    }

    @Test
    void aClientThatWantsToCloseIsLetGoAfterItsAnswer() throws Exception {
        client.post(CHAT, BODY, "Connection: close");
        assertThat(client.answer().hasHeader("connection: close")).isTrue();
        assertThat(client.ended()).isTrue();
    }

    /** Closing while the client still sends would reset the connection, and the answer with it. */
    @Test
    void whatAClientSendsAfterItsLastRequestDestroysNoAnswer() throws Exception {
        String body = "{\"model\":\"m\"}";
        for (String end : new String[] {"HTTP/1.1\r\nConnection: close", "HTTP/1.0"}) {
            try (RawClient last = router.client()) {
                last.send("POST /v1/chat/completions " + end + "\r\nHost: x\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body + "\r\n" + "x".repeat(300_000));
                assertThat(last.answer().status()).isEqualTo(200);
                assertThat(last.rest()).isEmpty(); // a reset would be an exception
            }
        }
    }

    @Test
    void aClientThatReadsSlowlySlowsTheReplicaDown() throws Exception {
        long total = 64L << 20;
        AtomicLong sent = new AtomicLong();
        byte[] block = new byte[1 << 16];
        replica.script((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\ncontent-length: " + total + "\r\n\r\n");
            for (long n = 0; n < total; n += block.length) {
                connection.send(block);
                sent.addAndGet(block.length);
            }
        });
        client.post(CHAT, BODY);
        client.head();
        AtomicLong before = new AtomicLong(-1);
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(400))
                .until(() -> {
                    long now = sent.get();
                    return now > 0 && before.getAndSet(now) == now;
                });
        assertThat(sent.get()).isLessThan(total / 2);
        client.post(CHAT, BODY); // is answered after the first
        long read = 0;
        byte[] head = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8);
        while (read < total) {
            read += client.read(total - read);
        }
        assertThat(client.head()).startsWith(new String(head, StandardCharsets.UTF_8));
    }

    @Test
    void anAnswerCutShortIsNotTakenForWhole() throws Exception {
        replica.script((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345");
            connection.close();
        });
        client.post(CHAT, BODY);
        assertThatThrownBy(client::answer).isInstanceOfAny(EOFException.class, SocketException.class);
    }
}
