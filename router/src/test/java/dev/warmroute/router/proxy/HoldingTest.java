package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.state.Evidence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that a policy holds: one place on one replica, which is free when its conversation has been idle for 20 ms. */
class HoldingTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = "{\"model\":\"m\"}";

    private final Semaphore answers = new Semaphore(0);
    private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    private final ScriptedReplica replica = new ScriptedReplica((request, connection) -> {
        arrived.add("request");
        answers.acquireUninterruptibly();
        ScriptedReplica.json(200, "{}").answer(request, connection);
    });
    private final List<RawClient> clients = new ArrayList<>();
    private RunningRouter router;

    private void start(String limits) {
        router = RunningRouter.fromYaml("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\nlimits: {" + limits
                + "}\nmodels:\n  - name: m\n    policy: {name: fit, places: 1, worth: 0, release_s: 0.02, gap_quantile: 0}\n"
                + "    replicas:\n      - {id: r0, url: '" + replica.url() + "'}\n");
    }

    @AfterEach
    void stop() throws IOException {
        answers.release(1_000);
        for (RawClient client : clients) {
            client.close();
        }
        router.close();
        replica.close();
    }

    private RawClient ask(String session) throws IOException {
        RawClient client = router.client();
        clients.add(client);
        int before = router.decisions().size();
        client.post(CHAT, BODY, "x-session-id: " + session);
        await().until(() -> router.decisions().size() > before);
        return client;
    }

    private int held() {
        return router.server().status().models().get(0).held();
    }

    private List<Kind> kinds() {
        return router.decisions().stream().map(RoutingDecision::kind).toList();
    }

    private void everyDecisionFollowsFromItsEvent() {
        for (RoutingDecision d : router.decisions()) {
            Placement again = Policies.recorded(d.policy()).choose(Evidence.request(d), Evidence.view(d));
            assertThat(again.kind()).isEqualTo(d.kind());
            assertThat(again.chosen()).isEqualTo(d.chosen().isPresent());
        }
    }

    @Test
    void theyWaitInOrderUntilAPlaceIsFreeAndTheEventsSayHowLong() throws Exception {
        start("");
        RawClient first = ask("a");
        RawClient second = ask("b");
        RawClient third = ask("c");
        assertThat(held()).isEqualTo(2);
        assertThat(router.inFlight()).as("who waits is not in flight").isEqualTo(1);
        assertThat(kinds()).containsExactly(Kind.PLACED, Kind.HELD, Kind.HELD);
        answers.release(3);
        for (RawClient client : List.of(first, second, third)) {
            assertThat(client.answer().status()).isEqualTo(200);
        }
        List<RequestCompleted> completed = router.completed(3);
        assertThat(completed)
                .extracting(c -> c.session().key())
                .containsExactlyElementsOf(router.decisions().stream()
                        .limit(3)
                        .map(d -> d.session().key())
                        .toList());
        assertThat(completed.get(0).heldMs()).isZero();
        assertThat(completed.get(1).heldMs()).isGreaterThanOrEqualTo(20);
        assertThat(completed.get(2).heldMs()).isGreaterThanOrEqualTo(20);
        assertThat(kinds()).containsExactly(Kind.PLACED, Kind.HELD, Kind.HELD, Kind.PLACED, Kind.PLACED);
        RoutingDecision placed = router.decisions().get(3);
        assertThat(placed.policyInputs()).containsEntry("held", 1.0).containsEntry("hold_expired", 0.0);
        assertThat(placed.policyInputs().get("waited_s")).isPositive();
        assertThat(held()).isZero();
        assertThat(router.inFlight()).isZero();
        everyDecisionFollowsFromItsEvent();
    }

    @Test
    void aClientThatLeavesWaitsNoLonger() throws Exception {
        start("");
        RawClient first = ask("a");
        RawClient second = ask("b");
        RawClient third = ask("c");
        second.close();
        await().until(() -> held() == 1);
        RequestCompleted left = router.completed(1).get(0);
        assertThat(left.endedBy()).isEqualTo(EndedBy.CLIENT);
        assertThat(left.replica()).isEmpty();
        assertThat(left.heldMs()).isPositive();
        answers.release(2);
        assertThat(first.answer().status()).isEqualTo(200);
        assertThat(third.answer().status()).isEqualTo(200);
        router.completed(3);
        assertThat(router.inFlight()).isZero();
        assertThat(arrived).hasSize(2);
    }

    @Test
    void whoHasWaitedForAsLongAsMayBeIsSentAllTheSame() throws Exception {
        start("max_hold: 50ms");
        ask("a");
        RawClient second = ask("b");
        arrived.take();
        arrived.take();
        RoutingDecision sent = router.decisions().get(2);
        assertThat(sent.kind()).isEqualTo(Kind.OVERFLOW);
        assertThat(sent.policyInputs()).containsEntry("hold_expired", 1.0);
        assertThat(router.inFlight()).isEqualTo(2);
        answers.release(2);
        assertThat(second.answer().status()).isEqualTo(200);
        assertThat(router.completed(2))
                .filteredOn(c -> c.session().equals(sent.session()))
                .singleElement()
                .satisfies(c -> assertThat(c.heldMs()).isGreaterThanOrEqualTo(50));
        everyDecisionFollowsFromItsEvent();
    }

    @Test
    void aFullQueueSaysSoAndWhenToComeBack() throws Exception {
        start("max_held: 1");
        ask("a");
        ask("b");
        RawClient.Answer refused = ask("c").answer();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.hasHeader("retry-after: 1")).isTrue();
        assertThat(refused.text()).contains("wait for a place");
        assertThat(held()).isEqualTo(1);
        assertThat(router.completed(1).get(0).endedBy()).isEqualTo(EndedBy.ROUTER);
    }

    /** r0 answers session a once and dies of its next request; r1 is at work on session b, and has one place. */
    private RawClient heldAfterAFailure(ScriptedReplica dying) throws Exception {
        replica.script((request, connection) -> {
            if (request.hasHeader("x-session-id: b")) {
                connection.send(ScriptedReplica.STREAM_HEAD);
                connection.chunk("data: 1\n\n");
                connection.awaitGone();
            } else {
                ScriptedReplica.json(200, "{\"by\":\"r1\"}").answer(request, connection);
            }
        });
        router = RunningRouter.fromYaml("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\n"
                + "limits: {first_byte: 1s, max_hold: 1500ms}\nmodels:\n  - name: m\n"
                + "    policy: {name: fit, places: 1, worth: 0, release_s: 60, gap_quantile: 0}\n    replicas:\n"
                + "      - {id: r0, url: '" + dying.url() + "'}\n      - {id: r1, url: '" + replica.url() + "'}\n");
        RawClient client = ask("a");
        assertThat(client.answer().status()).isEqualTo(200);
        ask("b").head();
        dying.script((request, connection) -> dying.close());
        client.post(CHAT, BODY, "x-session-id: a");
        await().until(() -> held() == 1);
        assertThat(router.decisions()).extracting(d -> d.chosen().orElse("")).containsExactly("r0", "r1", "r0", "");
        return client;
    }

    @Test
    void aRetryThatIsHeldIsNotLateWhereItWasSentBefore() throws Exception {
        try (ScriptedReplica dying = new ScriptedReplica(ScriptedReplica.json(200, "{}"))) {
            RawClient client = heldAfterAFailure(dying);
            assertThat(client.answer().text())
                    .as("held for longer than limits.first_byte")
                    .isEqualTo("{\"by\":\"r1\"}");
        }
    }

    @Test
    void aRetryThatIsHeldIsNotChargedToWhoFailedBefore() throws Exception {
        try (ScriptedReplica dying = new ScriptedReplica(ScriptedReplica.json(200, "{}"))) {
            heldAfterAFailure(dying).close();
            RequestCompleted left = router.completed(2).get(1);
            assertThat(left.endedBy()).isEqualTo(EndedBy.CLIENT);
            assertThat(left.replica()).isEmpty();
        }
    }

    @Test
    void aReplicaThatComesTakesThem() throws Exception {
        start("");
        ask("a");
        RawClient second = ask("b");
        try (ScriptedReplica other = new ScriptedReplica(ScriptedReplica.json(200, "{}"))) {
            router.server().change(m -> m.with("m", ReplicaConfig.of("r1", other.url())));
            assertThat(second.answer().status()).isEqualTo(200);
        }
        assertThat(router.completed(1).get(0).replica()).contains("r1");
    }

    @Test
    void aRouterThatStopsAnswersThem() throws Exception {
        start("");
        ask("a");
        RawClient second = ask("b");
        router.server().close("test", Duration.ofMillis(10));
        assertThat(second.answer().status()).isEqualTo(503);
        assertThat(router.completed(2)).allMatch(c -> c.endedBy() == EndedBy.ROUTER);
    }
}
