package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.PolicySpec;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptChain.Unit;
import dev.warmroute.router.state.ModelRouter.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the router remembers reaches the policy's view with the right numbers, and only what the policy asked for. */
class MemoryTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int BLOCK = 64;

    /** Sends every request to the replica that the test names, and says what the test wants to see. */
    private static final class Scripted implements RoutingPolicy {
        private final Needs needs;
        private int next;

        Scripted(Needs needs) {
            this.needs = needs;
        }

        @Override
        public PolicySpec spec() {
            return PolicySpec.of("scripted", 1);
        }

        @Override
        public Needs needs() {
            return needs;
        }

        @Override
        public Placement choose(RoutingRequest request, FleetView fleet) {
            return request.hasSession() ? Placement.withHome(fleet, next) : Placement.balanced(next);
        }
    }

    private Scripted policy;
    private ModelRouter router;
    private long ageMillis = -1;
    private long capacity = -1;
    private int trueCache = -1;

    private void needs(Needs needs) {
        policy = new Scripted(needs);
        router = new ModelRouter(policy);
    }

    private Decision send(int replica, RoutingRequest request, PromptChain prompt, long now) {
        policy.next = replica;
        List<ReplicaStatus> fleet = new ArrayList<>();
        for (int r = 0; r < 2; r++) {
            Signals signals = ageMillis < 0 ? Signals.NONE : new Signals(0, 0, 0, ageMillis);
            fleet.add(ReplicaStatus.up("r" + r, signals)
                    .withCapacityTokens(capacity)
                    .withCachedTokens(trueCache));
        }
        return router.decide(request, prompt, fleet, now);
    }

    private Decision send(int replica, long tokens, long now) {
        return send(replica, new RoutingRequest("", tokens, 0), PromptChain.NOTHING, now);
    }

    private FleetView look(long now) {
        return send(1, 0, now).view();
    }

    private static PromptChain prompt(long... blocks) {
        return PromptChain.of(Unit.TOKENS, BLOCK, (long) blocks.length * BLOCK + 10, blocks);
    }

    @Test
    void aPolicyThatAsksForNothingGetsNothing() {
        needs(Needs.NOTHING);
        capacity = 5;
        FleetView view =
                send(0, new RoutingRequest("s", 100, 0), prompt(1, 2), 0).view();
        assertThat(view.inputs()).isEmpty();
        assertThat(view.replica(0).inputs()).isEmpty();
        assertThat(view.replica(0).predictedCachedTokens()).isEqualTo(-1);
    }

    @Test
    void whatIsInFlightAddsUpAndEndsAtZero() {
        needs(Needs.of(
                Input.PROMPT_TOKENS, Input.PREFILLING, Input.PREFILL_TOKENS, Input.PREFILL_PAIRS, Input.DECIDED));
        Decision first = send(0, 100, 0);
        Decision second = send(0, 41, 1);
        assertThat(look(2).replica(0).inputs())
                .isEqualTo(Map.of(
                        "prompt_tokens", 141.0,
                        "prefilling", 2.0,
                        "prefill_tokens", 141.0,
                        "prefill_pairs", 100 * 50 + 41 * 20.5,
                        "decided", 2.0));
        router.answering(first.ticket(), 3);
        router.answering(first.ticket(), 4);
        assertThat(look(5).replica(0).inputs())
                .containsEntry("prompt_tokens", 141.0)
                .containsEntry("prefilling", 1.0)
                .containsEntry("prefill_tokens", 41.0)
                .containsEntry("prefill_pairs", 41 * 20.5);
        router.release(first.ticket(), Completion.UNKNOWN, 5);
        router.release(second.ticket(), Completion.UNKNOWN, 5);
        router.answering(second.ticket(), 6);
        assertThat(look(7).replica(0).inputs())
                .isEqualTo(Map.of(
                        "prompt_tokens",
                        0.0,
                        "prefilling",
                        0.0,
                        "prefill_tokens",
                        0.0,
                        "prefill_pairs",
                        0.0,
                        "decided",
                        2.0));
    }

    @Test
    void whatWasSentBeforeIsBelievedToBeCachedThereAndOnlyTheRestCountsAsWork() {
        needs(Needs.of(Input.PREDICTED_CACHE, Input.PREFILL_TOKENS, Input.INDEXED_TOKENS));
        send(0, new RoutingRequest("", 138, 0), prompt(1, 2), 0);
        Decision next = send(0, new RoutingRequest("", 202, 0), prompt(1, 2, 3), 1);
        assertThat(next.view().replica(0).predictedCachedTokens()).isEqualTo(2 * BLOCK);
        assertThat(next.view().replica(1).predictedCachedTokens()).isZero();
        assertThat(next.view().replica(0).inputs()).containsEntry("indexed_tokens", 128.0);
        assertThat(look(2).replica(0).inputs())
                .containsEntry("prefill_tokens", 138.0 + 202 - 128)
                .containsEntry("indexed_tokens", 192.0);
        router.forgetReplica("r0");
        assertThat(send(0, new RoutingRequest("", 202, 0), prompt(1, 2, 3), 3)
                        .view()
                        .replica(0)
                        .predictedCachedTokens())
                .as("its cache is gone")
                .isZero();
    }

    @Test
    void theIndexHoldsAsMuchAndAsLongAsThePolicySays() {
        needs(Needs.of(Input.PREDICTED_CACHE).indexing(new Needs.Prefixes(2 * BLOCK, 10, 256)));
        send(0, new RoutingRequest("", 300, 0), prompt(1, 2, 3), 0);
        assertThat(send(1, new RoutingRequest("", 300, 0), prompt(1, 2, 3), SECOND)
                        .view()
                        .replica(0)
                        .predictedCachedTokens())
                .isEqualTo(2 * BLOCK);
        assertThat(send(1, new RoutingRequest("", 300, 0), prompt(1, 2, 3), 10 * SECOND)
                        .view()
                        .replica(0)
                        .predictedCachedTokens())
                .isZero();
    }

    @Test
    void bytesCountAsAQuarterOfAToken() {
        needs(Needs.of(Input.PREDICTED_CACHE));
        PromptChain text = PromptChain.of(Unit.BYTES, 256, 600, new long[] {5, 6});
        send(0, new RoutingRequest("", 150, 0), text, 0);
        assertThat(send(0, new RoutingRequest("", 150, 0), text, 1)
                        .view()
                        .replica(0)
                        .predictedCachedTokens())
                .isEqualTo(128);
    }

    @Test
    void aTrueCacheIsTakenWhereTheRuntimeKnowsIt() {
        needs(Needs.of(Input.TRUE_CACHE));
        trueCache = 77;
        assertThat(look(0).replica(0).predictedCachedTokens()).isEqualTo(77);
    }

    @Test
    void theKeyOfAPromptStandsForItsBeginning() {
        needs(Needs.of(Input.PREFIX_KEY).indexing(new Needs.Prefixes(1_000, 10, 2 * BLOCK)));
        long[] blocks = LongStream.range(0, 5).map(i -> -1 - i).toArray();
        double key =
                send(0, new RoutingRequest("", 1, 0), prompt(blocks), 0).view().input(Input.PREFIX_KEY);
        assertThat(key).isEqualTo((1L << 53) - 2).as("53 bits of the second block's hash");
        assertThat(send(0, new RoutingRequest("", 1, 0), prompt(4), 0).view().has(Input.PREFIX_KEY))
                .as("too short")
                .isFalse();
    }

    @Test
    void aTurnGivesItsPlaceFreeUnderWhicheverPolicyItEnds() {
        needs(Needs.of(Input.PLACE, Input.PLACES, Input.LAPSED));
        Decision turn = send(0, new RoutingRequest("s", 10, 0), PromptChain.NOTHING, 0);
        router.policy(new Scripted(Needs.NOTHING));
        router.release(turn.ticket(), Completion.UNKNOWN, SECOND);
        router.policy(policy);
        assertThat(look(100 * SECOND).replica(0).inputs()).isEqualTo(Map.of("places", 1.0, "lapsed_places", 1.0));
    }

    @Test
    void aNewReadingReplacesWhatWasSentBeforeIt() {
        needs(Needs.of(Input.SENT, Input.SENT_TOKENS));
        ageMillis = 0;
        send(0, 10, 0);
        ageMillis = 500;
        send(0, 20, SECOND / 2);
        assertThat(look(SECOND / 2).replica(0).inputs())
                .isEqualTo(Map.of("sent_since_reading", 2.0, "tokens_since_reading", 30.0));
        ageMillis = 0;
        assertThat(look(SECOND).replica(0).inputs())
                .isEqualTo(Map.of("sent_since_reading", 0.0, "tokens_since_reading", 0.0));
    }

    @Test
    void theSameReadingIsNotANewOneBecauseItsAgeIsRounded() {
        needs(Needs.of(Input.SENT));
        ageMillis = 0;
        send(0, 10, 0);
        ageMillis = 1;
        assertThat(look(1_999_999).replica(0).input(Input.SENT)).isEqualTo(1);
    }

    @Test
    void recentWorkLeavesTheWindow() {
        needs(Needs.of(Input.WINDOW_TOKENS, Input.WINDOW_REQUESTS).within(3));
        send(0, 10, 0);
        send(0, 20, 2 * SECOND);
        assertThat(look(3 * SECOND - 1).replica(0).inputs())
                .isEqualTo(Map.of("window_tokens", 30.0, "window_requests", 2.0));
        assertThat(look(3 * SECOND).replica(0).inputs())
                .isEqualTo(Map.of("window_tokens", 20.0, "window_requests", 1.0));
    }

    @Test
    void ratesAndAnswersAreLearntFromWhatHappened() {
        needs(Needs.of(Input.PREFILL_RATE, Input.MEAN_OUTPUT));
        assertThat(look(0).inputs()).isEmpty();
        for (int i = 1; i <= 10; i++) {
            Decision d = send(0, 100 * i, 0);
            router.answering(d.ticket(), SECOND);
            router.release(d.ticket(), new Completion(100 * i, 0, i), SECOND);
        }
        FleetView view = look(SECOND);
        assertThat(view.input(Input.PREFILL_RATE)).isEqualTo(900);
        assertThat(view.input(Input.MEAN_OUTPUT)).isEqualTo(5.5);
    }

    @Test
    void aConversationsTokensAndFirstHomeAreRemembered() {
        needs(Needs.of(Input.SESSION, Input.SESSION_TOKENS, Input.FIRST_HOME));
        RoutingRequest turn = new RoutingRequest("s", 100, 0);
        Decision first = send(1, turn, PromptChain.NOTHING, 0);
        assertThat(first.view().inputs()).isEmpty();
        router.release(first.ticket(), new Completion(100, 0, 30), 1);
        Decision moved = send(0, turn, PromptChain.NOTHING, 1);
        assertThat(moved.view().inputs()).isEqualTo(Map.of("session_tokens", 130.0, "first_home", 1.0));
        assertThat(send(0, turn, PromptChain.NOTHING, 2).view().inputs()).containsEntry("first_home", 1.0);
        assertThat(send(0, new RoutingRequest("other", 1, 0), PromptChain.NOTHING, 3)
                        .view()
                        .inputs())
                .isEmpty();
    }

    @Test
    void conversationsAreRememberedAsLongAsThePolicySays() {
        needs(Needs.of(Input.SESSION).remembering(new Needs.Conversations(20, 10)));
        RoutingRequest turn = new RoutingRequest("s", 100, 0);
        send(0, turn, PromptChain.NOTHING, 0);
        assertThat(look(10 * SECOND - 1).replica(0).liveSessions()).isEqualTo(1);
        assertThat(look(10 * SECOND).replica(0).liveSessions()).isZero();
        assertThat(send(0, turn, PromptChain.NOTHING, 20 * SECOND - 1).view().hasHome())
                .isTrue();
        assertThat(send(0, turn, PromptChain.NOTHING, 40 * SECOND).view().hasHome())
                .isFalse();
    }

    @Test
    void theCapacityIsWhatTheEngineReports() {
        needs(Needs.of(Input.CAPACITY_TOKENS));
        assertThat(look(0).replica(0).has(Input.CAPACITY_TOKENS)).isFalse();
        capacity = 9568;
        assertThat(look(1).replica(0).input(Input.CAPACITY_TOKENS)).isEqualTo(9568);
    }

    @Test
    void anotherPolicyFindsTheWorkInFlight() {
        needs(Needs.NOTHING);
        send(0, 100, 0);
        policy = new Scripted(Needs.of(Input.PREFILL_TOKENS));
        router.policy(policy);
        assertThat(look(1).replica(0).input(Input.PREFILL_TOKENS)).isEqualTo(100);
    }
}
