package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.compare.WarmWorth.Step;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import dev.warmroute.simulator.warm.SharedPrefix;
import dev.warmroute.simulator.warm.SharedPrefixes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmStudyTest {
    private static final long SECOND = 1_000_000_000L;
    /** Lengths of three system prompts. */
    private static final int[] SYSTEM = {1_600, 800, 400};
    /** Which of them each session has; round robin sends them to two replicas in turn. The last one comes to the first alone. */
    private static final int[] SESSIONS = {0, 0, 1, 1, 0, 0, 1, 1, 2, 0, 2, 1};

    private static List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < SESSIONS.length; i++) {
            Prompt prompt = Prompt.builder()
                    .span((SESSIONS[i] + 1L) << 50, SYSTEM[SESSIONS[i]])
                    .span((i + 1L) << 32, 100)
                    .build();
            turns.add(new Turn(
                    i,
                    (100 + 10 * i) * SECOND,
                    "s" + i,
                    "",
                    1,
                    Turn.UNKNOWN,
                    prompt,
                    1,
                    Turn.freshOutput(i),
                    Turn.Recorded.NOTHING));
        }
        return turns;
    }

    private static WhatIfRequest request(EngineConfig engine, int threads) {
        TraceLoad load = new TraceLoad(turns());
        Subject.OfTrace trace =
                new Subject.OfTrace(TraceSummary.of("t", "", load.turns(), load.index()), load, Subject.Mode.OPEN, 0);
        FleetSpec fleet = new FleetSpec(
                2,
                engine.withAsyncScheduling(false),
                AffineLaw.ofSeconds(0, 0.001, 0, 0, 0),
                FrontendDelay.NONE,
                SharedHost.NONE,
                0,
                SECOND);
        return new WhatIfRequest(trace, fleet, "given", "test", List.of(PolicyChoice.of("round_robin")), 3, threads);
    }

    private static List<SharedPrefix> prompts() {
        return SharedPrefixes.of(turns(), 16, 3);
    }

    @Test
    void aPromptPaysWhenEveryReplicaNeedsItAndNotWhenOneAloneDoes() {
        WarmWorth worth = WarmStudy.run(request(EngineConfig.defaults(), 2), prompts(), share -> {});
        assertThat(worth.prompts()).extracting(WarmWorth.Prompt::tokens).containsExactly(1_600, 800, 400);
        assertThat(worth.prompts()).extracting(WarmWorth.Prompt::firstTurns).containsExactly(5, 5, 2);
        WarmWorth.OfPolicy policy = worth.policies().get(0);
        assertThat(policy.pays()).isEqualTo(2);
        List<Step> steps = policy.steps();
        assertThat(steps).extracting(Step::prompts).containsExactly(0, 1, 2, 3);
        assertThat(steps).extracting(Step::savedTokens).containsExactly(0.0, 3_200.0, 4_800.0, 5_200.0);
        assertThat(steps).extracting(Step::computedTokens).containsExactly(0.0, 3_200.0, 4_800.0, 5_600.0);
        assertThat(steps).extracting(Step::netTokens).containsExactly(0.0, 0.0, 0.0, -400.0);
        assertThat(steps).extracting(Step::displacedTokens).containsOnly(0.0);
        assertThat(steps.get(2).firstTtftSavedS().orElseThrow()).isCloseTo(4.8 / SESSIONS.length, within(1e-9));
        assertThat(steps.get(2).waitSavedS()).isCloseTo(4.8, within(1e-9));
        assertThat(steps.get(2).firstTtftSavedInterval().orElseThrow().high()).isGreaterThan(0.4);
        assertThat(steps.get(3).warmS()).isCloseTo(2.8, within(1e-9));
        assertThat(steps.get(3).keptTokens()).isEqualTo(2 * 2_800.0);
    }

    @Test
    void promptsThatTakeTheRoomOfOthersDisplaceThemAndDoNotPay() {
        // 2,000 tokens: what the sessions share stays cached, until prompts of which one is used last push it out.
        EngineConfig small = EngineConfig.defaults().withUsableBlocks(125);
        WarmWorth worth = WarmStudy.run(request(small, 1), prompts(), share -> {});
        assertThat(worth.cacheSharePct().orElseThrow()).isCloseTo(100 * 175.0 / 125, within(1e-9));
        Step last = worth.policies().get(0).steps().get(3);
        assertThat(last.keptTokens()).isLessThan(2 * 2_000.0);
        assertThat(last.netTokens()).isNegative();
        assertThat(worth)
                .as("for any number of threads")
                .isEqualTo(WarmStudy.run(request(small, 3), prompts(), share -> {}));
    }

    @Test
    void ofAWorkloadTheFirstSessionOfEachReplicaFindsTheSystemPrompt() {
        WorkloadSpec workload = WorkloadSpec.named("lm-warden").withSessions(8);
        WhatIfRequest request = new WhatIfRequest(
                new Subject.OfWorkload(workload, 30),
                workload.fleetSpec(),
                "given",
                "lm-warden",
                List.of(PolicyChoice.of("warden")),
                3,
                2);
        WarmWorth worth = WarmStudy.run(request, SharedPrefixes.of(workload, 16), share -> {});
        Step warm = worth.policies().get(0).steps().get(1);
        assertThat(warm.computedTokens()).isEqualTo(4.0 * workload.systemTokens());
        assertThat(warm.savedTokens()).isPositive();
        assertThat(warm.firstTtftSavedS().orElseThrow()).isPositive();
        assertThat(warm.firstTtftSavedInterval()).isPresent();
    }
}
