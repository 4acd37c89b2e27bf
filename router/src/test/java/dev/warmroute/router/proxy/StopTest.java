package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.ControlEvent.RouterStarted;
import dev.warmroute.router.event.ControlEvent.RouterStopped;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.session.Salt;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StopTest {
    private static final String CHAT = "/v1/chat/completions";

    @Test
    void aRunningAnswerMayEndAndItsConnectionEndsWithIt() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.twoEvents(goOn));
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient idle = router.client();
                RawClient client = router.client()) {
            idle.send("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n");
            idle.answer();
            client.post(CHAT, "{\"model\":\"m\"}");
            client.head();
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> router.server().close("over", Duration.ofSeconds(20)));
            assertThat(idle.ended()).isTrue();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() ->
                            assertThatThrownBy(() -> router.client().close()).isInstanceOf(ConnectException.class));
            goOn.countDown();
            assertThat(new String(client.rest(), StandardCharsets.UTF_8)).endsWith("data: 2\n\n\r\n0\r\n\r\n");
            stopped.get();
            assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.FINISHED);
            List<Event> events = router.sink().all(Event.class);
            assertThat(events.get(0)).isInstanceOf(RouterStarted.class);
            RouterStopped last = (RouterStopped) events.get(events.size() - 1);
            assertThat(last.reason()).isEqualTo("over");
            assertThat(last.events()).isEqualTo(events.size());
        }
    }

    @Test
    void aRequestThatWaitedBehindAnAnswerIsAnsweredToo() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.twoEvents(goOn));
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient idle = router.client();
                RawClient client = router.client()) {
            client.post(CHAT, "{\"model\":\"m\"}");
            client.head();
            client.post(CHAT, "{\"model\":\"m\"}");
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> router.server().close("over", Duration.ofSeconds(20)));
            assertThat(idle.ended()).as("it stops").isTrue();
            goOn.countDown();
            assertThat(client.answerRest()).isEqualTo("data: 1\n\ndata: 2\n\n");
            RawClient.Answer second = client.answer();
            assertThat(second.text()).isEqualTo("data: 1\n\ndata: 2\n\n");
            assertThat(second.hasHeader("connection: close")).isTrue();
            assertThat(client.ended()).isTrue();
            stopped.get();
            assertThat(router.completed(2)).allMatch(completed -> completed.endedBy() == EndedBy.FINISHED);
        }
    }

    /** Answers to a client that does not read wait here and with the system; it begins to read when the router stops. */
    @Test
    void answersThatAreGivenButNotYetSentAreSent() throws Exception {
        String pad = "{\"pad\":\"" + "x".repeat(60_000) + "\"}";
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.json(200, pad));
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient idle = router.client();
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), router.server().port()));
            RawClient client = new RawClient(socket);
            for (int i = 0; i < 400; i++) {
                client.post(CHAT, "{\"model\":\"m\"}");
            }
            AtomicInteger before = new AtomicInteger();
            await("until the client would have to read")
                    .atMost(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(200))
                    .until(
                            () -> router.sink().all(RequestCompleted.class).size(),
                            given -> given > 0 && before.getAndSet(given) == given);
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> router.server().close("over", Duration.ofSeconds(20)));
            assertThat(idle.ended()).as("it stops").isTrue();
            int whole = 0;
            while (!client.atEnd()) {
                assertThat(client.answer().text()).isEqualTo(pad);
                whole++;
            }
            stopped.get();
            assertThat(router.sink().all(RequestCompleted.class))
                    .hasSize(whole)
                    .allMatch(completed -> completed.endedBy() == EndedBy.FINISHED);
        }
    }

    @Test
    void whoDoesNotEndInTimeIsCutAndToldOf() throws Exception {
        try (ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
                    connection.send(ScriptedReplica.STREAM_HEAD);
                    connection.awaitGone();
                });
                RunningRouter router = RunningRouter.inFrontOf(replica);
                RawClient client = router.client()) {
            client.post(CHAT, "{\"model\":\"m\"}");
            client.head();
            router.server().close("over", Duration.ofMillis(50));
            assertThat(new String(client.rest(), StandardCharsets.UTF_8))
                    .contains("the router is stopping")
                    .doesNotEndWith("0\r\n\r\n");
            assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.ROUTER);
        }
    }

    @Test
    void anAddressThatIsTakenIsSaidSo() throws Exception {
        try (ScriptedReplica replica = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
                RunningRouter router = RunningRouter.inFrontOf(replica)) {
            String models = "models: [{name: m, replicas: [{id: r0, url: '" + replica.url() + "'}]}]\n";
            RouterServices services = RouterServices.of(EventSink.NONE, new Salt(new byte[32]));
            assertThatThrownBy(() -> RouterServer.start(
                            RouterConfig.parse(
                                    "f",
                                    models + "listen: 127.0.0.1:"
                                            + router.server().port()),
                            services))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("choose another address for 'listen'");
            assertThatThrownBy(() -> RouterServer.start(
                            RouterConfig.parse(
                                    "f",
                                    models + "listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:"
                                            + router.server().adminPort() + "'}"),
                            services))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("choose another address for 'admin.listen'");
        }
    }
}
