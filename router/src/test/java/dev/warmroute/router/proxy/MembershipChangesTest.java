package dev.warmroute.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.Address;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.ControlEvent.ReplicaDown;
import dev.warmroute.router.event.ControlEvent.ReplicaUp;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptChain.Unit;
import dev.warmroute.router.session.Salt;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas come, go and are drained while requests run. */
class MembershipChangesTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = "{\"model\":\"m\"}";
    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final ScriptedReplica.Script twoEvents = ScriptedReplica.twoEvents(goOn);
    private ScriptedReplica first;
    private ScriptedReplica second;
    private RunningRouter router;

    @BeforeEach
    void start() {
        first = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
        second = new ScriptedReplica(ScriptedReplica.json(200, "{}"));
        router = RunningRouter.inFrontOf(first, second);
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        router.close();
        first.close();
        second.close();
    }

    private RoutingDecision ask(String session) throws IOException {
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY, "x-session-id: " + session);
            assertThat(client.answer().status()).isEqualTo(200);
        }
        List<RoutingDecision> all = router.decisions();
        return all.get(all.size() - 1);
    }

    private ProxyStatus.ReplicaRow row(String id) {
        return router.server().status().models().get(0).replicas().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReplicaThatComesIsChosenOnceItHasPassedACheck() throws Exception {
        ask("s0");
        ask("s1");
        try (ScriptedReplica third = new ScriptedReplica(ScriptedReplica.json(200, "{}"))) {
            router.server().change(m -> m.with("m", ReplicaConfig.of("r2", third.url())));
            await().atMost(Duration.ofSeconds(10)).until(() -> row("r2").eligible());
            assertThat(router.sink().all(ReplicaUp.class))
                    .filteredOn(u -> u.replica().equals("r2"))
                    .hasSize(1);
            RoutingDecision placed = ask("s2");
            assertThat(placed.chosen()).contains("r2");
            assertThat(placed.candidates()).hasSize(3);
            third.take();
        }
    }

    @Test
    void aReplicaThatCannotBeReachedYetCostsNoRequestAnything() throws Exception {
        int nobody;
        try (ScriptedReplica gone = new ScriptedReplica(ScriptedReplica.json(200, "{}"))) {
            nobody = gone.port();
        }
        router.server().change(m -> m.with("m", ReplicaConfig.of("r2", "http://127.0.0.1:" + nobody)));
        assertThat(row("r2").reason()).isNotEmpty();
        for (int i = 0; i < 6; i++) {
            RoutingDecision decision = ask("s" + i);
            assertThat(decision.attempt()).isEqualTo(1);
            assertThat(decision.candidates().get(2).eligible()).isFalse();
        }
    }

    @Test
    void aReplicaThatComesBackIsNotBelievedToHaveWhatItHadBeforeNorWhatWasHeardMeanwhile() {
        PromptChain prompt = PromptChain.of(Unit.TOKENS, 16, 64, new long[] {1, 2, 3, 4});
        RouterConfig config = RouterConfig.parse(
                "test",
                "listen: 127.0.0.1:0\n"
                        + "models:\n"
                        + "  - name: m\n"
                        + "    policy: sgl_cache_aware\n"
                        + "    replicas:\n"
                        + "      - {id: r0, url: '"
                        + first.url() + "'}\n      - {id: r1, url: '" + second.url() + "'}\n");
        try (ProxyServer proxy = new ProxyServer(
                config,
                RouterServices.of(new MemorySink(), new Salt(new byte[32])).withEventLoops(1))) {
            proxy.listen(new Address("127.0.0.1", 0));
            assertThat(proxy.wouldPlace("m", prompt)).contains("r0");
            proxy.cached("m", "r1", prompt);
            assertThat(proxy.wouldPlace("m", prompt)).contains("r1");
            proxy.change(m -> m.without("r1"));
            proxy.cached("m", "r1", prompt); // the end of a warm-up that was on its way
            proxy.change(m -> m.with("m", ReplicaConfig.of("r1", second.url())));
            await().atMost(Duration.ofSeconds(10))
                    .until(() ->
                            proxy.status().models().get(0).replicas().get(1).eligible());
            assertThat(proxy.wouldPlace("m", prompt)).contains("r0");
            proxy.cached("m", "r1", prompt);
            assertThat(proxy.wouldPlace("m", prompt)).contains("r1");
        }
    }

    @Test
    void aReplicaThatGoesEndsItsAnswersAndItsConversationsGetAnotherHome() throws Exception {
        assertThat(ask("s0").chosen()).contains("r0");
        first.script(twoEvents);
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY, "x-session-id: s0");
            client.head();
            router.server().change(m -> m.without("r0"));
            assertThat(router.sink().all(ReplicaDown.class))
                    .extracting(ReplicaDown::reason)
                    .containsExactly("removed");
            RoutingDecision next = ask("s0");
            assertThat(next.kind()).isEqualTo(Kind.PLACED);
            assertThat(next.homeBefore()).isEmpty();
            assertThat(next.chosen()).contains("r1");
            assertThat(next.candidates())
                    .extracting(RoutingDecision.Candidate::replica)
                    .containsExactly("r1");
            goOn.countDown();
            assertThat(client.answerRest()).isEqualTo("data: 1\n\ndata: 2\n\n");
        }
        assertThat(router.completed(3)).allMatch(c -> c.endedBy() == EndedBy.FINISHED);
        assertThat(router.inFlight()).isZero();
        first.awaitNoConnections();
    }

    @Test
    void aDrainedReplicaKeepsItsConversationsForAWhileAndIsGivenNoOther() throws Exception {
        assertThat(ask("s0").chosen()).contains("r0");
        router.server().change(m -> m.draining("r0", LONG));
        assertThat(row("r0").reason()).isEqualTo("draining");
        for (int i = 1; i < 5; i++) {
            RoutingDecision placed = ask("s" + i);
            assertThat(placed.chosen()).contains("r1");
            assertThat(placed.candidates().get(0).reason()).contains("draining");
        }
        assertThat(ask("s0").kind()).isEqualTo(Kind.STICKY);
        router.server().change(m -> m.serving("r0"));
        assertThat(ask("s5").chosen()).contains("r0");
        assertThat(router.sink().all(ReplicaDown.class))
                .extracting(ReplicaDown::reason)
                .containsExactly("draining");
    }

    @Test
    void withoutThatWhileConversationsMoveOnceWithTheirNextRequestAndRunningAnswersEnd() throws Exception {
        assertThat(ask("s0").chosen()).contains("r0");
        first.script(twoEvents);
        try (RawClient client = router.client()) {
            client.post(CHAT, BODY, "x-session-id: s0");
            client.head();
            router.server().change(m -> m.draining("r0", Duration.ZERO));
            RoutingDecision moved = ask("s0");
            assertThat(moved.kind()).isEqualTo(Kind.FAILOVER);
            assertThat(moved.homeBefore()).contains("r0");
            assertThat(moved.homeAfter()).contains("r1");
            assertThat(ask("s0").kind()).isEqualTo(Kind.STICKY);
            goOn.countDown();
            assertThat(client.answerRest()).isEqualTo("data: 1\n\ndata: 2\n\n");
        }
        router.completed(4);
        assertThat(row("r0").inFlight()).isZero();
        router.server().change(m -> m.serving("r0"));
        assertThat(ask("s0").chosen())
                .as("a conversation that moved stays where it is")
                .contains("r1");
    }

    @Test
    void aChangeThatIsRefusedChangesNothingAndListenersHearEveryOther() {
        List<Membership> heard = new ArrayList<>();
        router.server().onMembership(heard::add);
        Membership before = router.server().membership();
        assertThatThrownBy(() -> router.server().change(m -> m.without("r0").without("r1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("last one");
        assertThat(router.server().membership()).isEqualTo(before);
        Membership after = router.server().change(m -> m.without("r1"));
        assertThat(heard).containsExactly(before, after);
    }
}
