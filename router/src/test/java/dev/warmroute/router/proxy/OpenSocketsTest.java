package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenSocketsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = "{\"model\":\"m\",\"stream\":true}";
    private static final int MOST = 4;

    /** Begins a stream and goes on with it until the other side leaves. */
    private static ScriptedReplica streaming() {
        return new ScriptedReplica((request, connection) -> {
            connection.send(ScriptedReplica.STREAM_HEAD);
            connection.chunk("data: 1\n\n");
            connection.awaitGone();
        });
    }

    private static long connections(RunningRouter router) {
        return router.server().status().totals().connections();
    }

    @Test
    void aClientTooManyIsToldSoAndTheOthersGoOn() throws Exception {
        try (ScriptedReplica replica = streaming();
                RunningRouter router = RunningRouter.withMaxSockets(MOST, replica);
                RawClient second = router.client()) {
            RawClient first = router.client();
            for (RawClient client : List.of(first, second)) {
                client.post(CHAT, BODY);
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            }
            try (RawClient third = router.client()) {
                RawClient.Answer refused = third.answer();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.hasHeader("retry-after: 1")).isTrue();
                assertThat(third.ended()).isTrue();
            }
            assertThat(router.server().status().totals().clientsTurnedAway()).isEqualTo(1);
            assertThat(router.inFlight()).isEqualTo(2);
            first.close();
            router.completed(1);
            await().atMost(Duration.ofSeconds(10)).until(() -> connections(router) == 1);
            try (RawClient fourth = router.client()) {
                fourth.post(CHAT, BODY);
                assertThat(fourth.head()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void aConnectionThatCannotBeMadeHereIsNotBlamedOnTheReplica() throws Exception {
        try (ScriptedReplica replica = streaming();
                RunningRouter router = RunningRouter.withMaxSockets(MOST, replica)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                clients.add(router.client());
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> connections(router) == MOST);
            for (RawClient client : clients.subList(0, MOST / 2)) {
                client.post(CHAT, BODY);
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            }
            RawClient last = clients.get(MOST - 1);
            for (int attempt = 0; attempt < 5; attempt++) {
                last.post(CHAT, BODY);
                RawClient.Answer refused = last.answer();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.text()).contains("no room for another connection");
            }
            assertThat(router.completed(5))
                    .extracting(RequestCompleted::endedBy)
                    .containsOnly(EndedBy.ROUTER);
            assertThat(router.server()
                            .status()
                            .models()
                            .get(0)
                            .replicas()
                            .get(0)
                            .reason())
                    .as("why the replica may not be chosen")
                    .isEmpty();
            assertThat(router.inFlight()).isEqualTo(2);
            clients.get(0).close();
            replica.script(ScriptedReplica.json(200, "{}"));
            router.completed(6);
            await().atMost(Duration.ofSeconds(10)).until(() -> connections(router) == MOST - 1);
            last.post(CHAT, BODY);
            assertThat(last.answer().status()).isEqualTo(200);
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void manyTooManyAtOnceAreNotEvenToldSo() {
        OpenSockets sockets = new OpenSockets(1_000, 0);
        for (int i = 0; i < 1_064; i++) {
            sockets.opened();
        }
        assertThat(sockets.tooManyForAClient(0)).isTrue();
        assertThat(sockets.tooManyToAnswer()).isFalse();
        sockets.opened();
        assertThat(sockets.tooManyToAnswer()).isTrue();
    }

    @Test
    void theOperatorIsToldWhenTheReplicasCouldBeBusyWithMoreThanThereIsRoomFor() {
        OpenSockets sockets = new OpenSockets(1_000, 0);
        assertThat(sockets.tooFewFor(500, 0)).isEmpty();
        assertThat(sockets.tooFewFor(512, 0))
                .hasValueSatisfying(said -> assertThat(said)
                        .contains("room for 1000 connections", "all 512 places", "would take 1024", "raise it by 24"));
        assertThat(sockets.tooFewFor(256, 10_000))
                .hasValueSatisfying(said -> assertThat(said).contains("10000 requests held", "would take 10512"));
    }
}
