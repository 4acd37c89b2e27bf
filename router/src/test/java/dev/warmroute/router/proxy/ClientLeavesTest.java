package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClientLeavesTest {
    private static final String BODY = "{\"model\":\"m\",\"stream\":true}";

    static Stream<Arguments> phases() {
        return Stream.of(
                Arguments.of("before the first byte", "", 0),
                Arguments.of("after the head", ScriptedReplica.STREAM_HEAD, 1),
                Arguments.of(
                        "in the middle of a stalled stream", ScriptedReplica.STREAM_HEAD + "9\r\ndata: a\n\n\r\n", 1),
                Arguments.of("in the middle of a chunk", ScriptedReplica.STREAM_HEAD + "99\r\ndata: a\n", 1),
                Arguments.of(
                        "in the middle of a plain answer", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"a\":", 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("phases")
    void theReplicaIsToldAtOnce(String phase, String sent, int awaitHead) throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    connection.send(sent);
                    arrived.countDown();
                    connection.awaitGone();
                    gone.countDown();
                });
                RunningRouter router = RunningRouter.inFrontOf(replica)) {
            try (RawClient client = router.client()) {
                client.post("/v1/chat/completions", BODY);
                if (awaitHead > 0) {
                    client.head();
                }
                assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(router.inFlight()).isEqualTo(1);
            }
            assertThat(gone.await(10, TimeUnit.SECONDS))
                    .as("the replica sees the connection close")
                    .isTrue();
            RequestCompleted completed = router.completed(1).get(0);
            assertThat(completed.endedBy()).isEqualTo(EndedBy.CLIENT);
            assertThat(completed.status().isPresent()).isEqualTo(awaitHead > 0);
            assertThat(router.inFlight()).isZero();
        }
    }

    @Test
    void aStreamThatKeepsComingIsStopped() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    connection.send(ScriptedReplica.STREAM_HEAD);
                    try {
                        while (true) {
                            connection.chunk("data: " + "x".repeat(1_000) + "\n\n");
                        }
                    } finally {
                        stopped.countDown();
                    }
                });
                RunningRouter router = RunningRouter.inFrontOf(replica)) {
            try (RawClient client = router.client()) {
                client.post("/v1/chat/completions", BODY);
                client.head();
                for (int i = 0; i < 20; i++) {
                    client.line();
                }
            }
            assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.CLIENT);
            assertThat(router.inFlight()).isZero();
        }
    }

    /** A listener whose queue is full neither accepts nor refuses: connecting to it hangs. */
    @Test
    void whileConnectingTheRequestEndsAndThePlaceIsGivenBack() throws Exception {
        List<Socket> fillers = new ArrayList<>();
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 4; i++) {
                Socket filler = new Socket();
                fillers.add(filler);
                try {
                    filler.connect(new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort()), 200);
                } catch (java.net.SocketTimeoutException e) {
                    break;
                }
            }
            try (RunningRouter router =
                    RunningRouter.withUrls("limits: {connect: 60s}", "http://127.0.0.1:" + deaf.getLocalPort())) {
                try (RawClient client = router.client()) {
                    client.post("/v1/chat/completions", BODY);
                    await().atMost(Duration.ofSeconds(10)).until(() -> router.inFlight() == 1);
                }
                assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.CLIENT);
                assertThat(router.inFlight()).isZero();
            }
        } finally {
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void inTheMiddleOfItsRequestNothingIsRouted() throws Exception {
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                RunningRouter router = RunningRouter.inFrontOf(replica)) {
            try (RawClient client = router.client()) {
                client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"model\":");
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> router.server().status().totals().connections() == 1);
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> router.server().status().totals().connections() == 0);
            assertThat(router.decisions()).isEmpty();
            assertThat(replica.requestsWaiting()).isZero();
        }
    }
}
