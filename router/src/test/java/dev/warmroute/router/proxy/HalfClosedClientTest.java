package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.warmroute.router.event.RequestCompleted.EndedBy;
import io.netty.channel.epoll.Epoll;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client may end its side of the connection once it has asked, and still wants its answer. */
class HalfClosedClientTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = "{\"model\":\"m\"}";

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private ScriptedReplica replica;
    private RunningRouter router;

    @BeforeEach
    void start() {
        assumeThat(Epoll.isAvailable())
                .as("only Linux tells a half-closed connection from a closed one")
                .isTrue();
        replica = new ScriptedReplica((request, connection) -> {
            asked.countDown();
            waitFor(goOn);
            ScriptedReplica.json(200, "{\"ok\":1}").answer(request, connection);
        });
        router = RunningRouter.inFrontOf(replica);
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        router.close();
        replica.close();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void itIsAnsweredHoweverLongThatTakes() throws Exception {
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY);
            waitFor(asked);
            client.shutdownOutput();
            assertThat(client.answer().status())
                    .as("the question whether it is still there")
                    .isEqualTo(100);
            goOn.countDown();
            assertThat(client.answer().text()).isEqualTo("{\"ok\":1}");
            assertThat(client.ended()).as("it will not ask again").isTrue();
        }
        assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.FINISHED);
    }

    @Test
    void allItHasAskedIsAnsweredInOrder() throws Exception {
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY);
            client.send("GET /v1/models/m HTTP/1.1\r\nHost: x\r\n\r\n");
            client.shutdownOutput();
            goOn.countDown();
            RawClient.Answer first = client.answer();
            while (first.status() == 100) {
                first = client.answer();
            }
            assertThat(first.text()).isEqualTo("{\"ok\":1}");
            assertThat(client.answer().text()).startsWith("{\"id\":\"m\"");
            assertThat(client.ended()).isTrue();
        }
    }

    /** Nothing may be sent to it before its answer, and so nothing proves that it is there. */
    @Test
    void ofHttp10ItIsAnsweredAsWell() throws Exception {
        router.close();
        router = RunningRouter.with("limits: {half_closed: 1ms}", replica);
        try (RawClient client = router.client()) {
            client.send("POST " + CHAT + " HTTP/1.0\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY);
            waitFor(asked);
            client.shutdownOutput();
            for (int i = 0; i < 100; i++) { // its event loop has long seen that
                try (RawClient other = router.client()) {
                    other.send("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n").answer();
                }
            }
            goOn.countDown();
            assertThat(client.answer().text()).isEqualTo("{\"ok\":1}");
        }
        assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.FINISHED);
    }

    @Test
    void inTheMiddleOfItsAnswerItStaysWhileItTakesMore() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        replica.script((request, connection) -> {
            connection.send(ScriptedReplica.STREAM_HEAD);
            connection.chunk("data: 1\n\n");
            while (ended.getCount() > 0) {
                connection.chunk(": on\n\n");
            }
            for (int i = 0; i < 100; i++) {
                connection.chunk(": on\n\n");
            }
            connection.send("0\r\n\r\n");
        });
        router.close();
        router = RunningRouter.with("limits: {half_closed: 10s}", replica);
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY);
            client.head();
            client.line();
            assertThat(client.line()).isEqualTo("data: 1");
            client.shutdownOutput();
            for (int i = 0; i < 2_000; i++) {
                client.line();
            }
            ended.countDown();
            assertThat(client.rest()).asString().endsWith("0\r\n\r\n");
        }
        assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.FINISHED);
    }

    @Test
    void oneThatHasGoneInTheMeantimeIsFoundOut() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        replica.script((request, connection) -> {
            asked.countDown();
            connection.awaitGone();
            gone.countDown();
        });
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY);
            waitFor(asked);
            client.shutdownOutput();
            assertThat(client.answer().status()).isEqualTo(100);
        }
        waitFor(gone);
        assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.CLIENT);
        assertThat(router.inFlight()).isZero();
    }

    @Test
    void halfARequestIsNone() throws Exception {
        try (RawClient client = router.client()) {
            client.send("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"model\":");
            client.shutdownOutput();
            assertThat(client.ended()).isTrue();
        }
        assertThat(router.decisions()).isEmpty();
    }
}
