package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.KvGroup;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WarmStartTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SYSTEM = 3_520;
    private static final int USER = 2_000;
    /** As vLLM rounds it for a hybrid model. */
    private static final int HYBRID_BLOCK = 1_568;

    /** A millisecond a prompt token, nothing else. */
    private static final AffineLaw LAW = AffineLaw.ofSeconds(0, 0.001, 0, 0, 0);

    private static FleetSpec fleet(int replicas, EngineConfig engine, List<Prompt> warm) {
        return new FleetSpec(
                        replicas,
                        engine.withAsyncScheduling(false),
                        LAW,
                        FrontendDelay.NONE,
                        SharedHost.NONE,
                        0,
                        SECOND)
                .withWarmStart(new WarmStart(warm, 1));
    }

    private static Prompt system() {
        return Prompt.of(0, SYSTEM);
    }

    /** The system prompt and something that nobody else says. */
    private static Prompt asked(int number, int tokens) {
        return Prompt.builder().all(system()).span((number + 1L) << 32, tokens).build();
    }

    private static Turn turn(int number, long at) {
        Prompt prompt = asked(number, USER);
        return new Turn(
                number,
                at,
                "s" + number,
                "",
                1,
                Turn.UNKNOWN,
                prompt,
                10,
                Turn.freshOutput(number),
                Turn.Recorded.NOTHING);
    }

    private static Outcome replay(FleetSpec fleet, List<Turn> turns, List<TraceLoad.Restart> restarts) {
        return FleetReplay.run(
                new TraceLoad(turns, restarts).open(),
                fleet,
                Policies.create("round_robin", Map.of(), 8),
                new Seeds(1),
                share -> {});
    }

    @Test
    void theFirstRequestOfEveryReplicaFindsItAndNobodyWaitsForItsComputation() {
        List<Turn> turns = List.of(turn(0, 20 * SECOND), turn(1, 20 * SECOND));
        EngineConfig engine = EngineConfig.defaults();
        Outcome cold = replay(fleet(2, engine, List.of()), turns, List.of());
        Outcome warm = replay(fleet(2, engine, List.of(system())), turns, List.of());
        for (int r = 0; r < 2; r++) {
            assertThat(cold.requests().cachedTokens(r)).isZero();
            assertThat(warm.requests().cachedTokens(r)).isEqualTo(SYSTEM);
            assertThat(cold.requests().first(r) - cold.requests().sent(r)).isEqualTo((SYSTEM + USER) * SECOND / 1000);
            assertThat(warm.requests().first(r) - warm.requests().sent(r)).isEqualTo(USER * SECOND / 1000);
        }
        assertThat(warm.requests().size()).as("warm prompts are no requests").isEqualTo(2);
        assertThat(cold.warmed()).isEqualTo(WarmStart.Cost.NONE);
        assertThat(warm.warmed())
                .isEqualTo(new WarmStart.Cost(2, 0, 2L * SYSTEM, 2L * SYSTEM, SYSTEM * SECOND / 1000, 2L * SYSTEM));
    }

    @Test
    void whoComesBeforeItIsDoneSharesItsWay() {
        Outcome warm =
                replay(fleet(1, EngineConfig.defaults(), List.of(system())), List.of(turn(0, SECOND)), List.of());
        assertThat(warm.requests().cachedTokens(0))
                .as("its blocks are known as soon as they are scheduled")
                .isEqualTo(SYSTEM);
        assertThat(warm.requests().first(0)).isEqualTo((SYSTEM + USER) * SECOND / 1000);
    }

    @Test
    void aReplicaThatHasStartedAgainIsWarmedAgainAndItsRequestsKeepTheirPlace() {
        List<Turn> turns = List.of(turn(0, 20 * SECOND), turn(1, 40 * SECOND));
        List<TraceLoad.Restart> restarts = List.of(new TraceLoad.Restart(0, 21 * SECOND));
        Outcome warm = replay(fleet(1, EngineConfig.defaults(), List.of(system())), turns, restarts);
        assertThat(warm.requests().hasEnded(0)).isTrue();
        assertThat(warm.requests().cachedTokens(1)).isEqualTo(SYSTEM);
        assertThat(warm.warmed().prompts()).isEqualTo(2);
        assertThat(warm.warmed().computedTokens()).isEqualTo(2L * SYSTEM);
    }

    @Test
    void promptsThatFillTheCacheEvictEachOtherAndOneThatCannotFitIsPassedOver() {
        List<Prompt> many = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            many.add(Prompt.of((i + 10L) << 40, 1_600));
        }
        many.add(Prompt.of(1L << 50, 100_000));
        EngineConfig small = EngineConfig.defaults().withUsableBlocks(250);
        Outcome warm = replay(fleet(1, small, many), List.of(turn(0, 100 * SECOND)), List.of());
        assertThat(warm.warmed().prompts()).isEqualTo(4);
        assertThat(warm.warmed().skipped()).isEqualTo(1);
        assertThat(warm.warmed().computedTokens()).isEqualTo(4L * 1_600);
        assertThat(warm.warmed().keptTokens())
                .as("at most what there is room for")
                .isBetween(1_600L, 250L * 16);
    }

    @Test
    void aHybridModelHitsAStrictPrefixAtItsLastBlockAndNothingOfALongerPromptThatOnlyBeginsAlike() {
        EngineConfig hybrid = EngineConfig.defaults()
                .withBlockSize(HYBRID_BLOCK)
                .withGroups(List.of(new KvGroup.Full(), new KvGroup.GatedDelta()));
        List<Turn> one = List.of(turn(0, 100 * SECOND));
        Outcome strict = replay(fleet(1, hybrid, List.of(system())), one, List.of());
        assertThat(strict.requests().cachedTokens(0)).as("two of 2.2 blocks").isEqualTo(2 * HYBRID_BLOCK);

        // What a chat with some other user's text warms: it goes on for more than a block behind the system prompt.
        Prompt chat = asked(77, 1_400);
        Outcome fallback = replay(fleet(1, hybrid, List.of(chat)), one, List.of());
        assertThat(fallback.requests().cachedTokens(0))
                .as("its state is kept where it ends, behind the other text")
                .isZero();
        Outcome attention = replay(fleet(1, EngineConfig.defaults(), List.of(chat)), one, List.of());
        assertThat(attention.requests().cachedTokens(0))
                .as("attention alone needs no strict prefix")
                .isEqualTo(SYSTEM);

        Outcome shorter = replay(fleet(1, hybrid, List.of(Prompt.of(0, HYBRID_BLOCK - 1))), one, List.of());
        assertThat(shorter.requests().cachedTokens(0))
                .as("less than a block has no state")
                .isZero();
    }
}
