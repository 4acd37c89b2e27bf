package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Data;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfTest {
    private static final WorkloadSpec SPEC = WorkloadSpec.named("lm-warden");

    private static WhatIfResult lmWarden(int sessions, int seeds, int threads, String... policies) {
        return lmWarden(sessions, 120, seeds, threads, policies);
    }

    private static WhatIfResult lmWarden(int sessions, int seconds, int seeds, int threads, String... policies) {
        return WhatIf.run(
                new WhatIfRequest(
                        new Subject.OfWorkload(SPEC.withSessions(sessions), seconds),
                        SPEC.fleetSpec(),
                        "given",
                        "lm-warden",
                        List.of(policies).stream().map(PolicyChoice::of).toList(),
                        seeds,
                        threads),
                Progress.NONE);
    }

    @Test
    void theSameBytesForAnyNumberOfThreadsAndForTwoRuns() throws JsonProcessingException {
        String[] policies = {"random", "warden", "least_in_flight"};
        String one = bytes(lmWarden(12, 3, 1, policies));
        assertThat(bytes(lmWarden(12, 3, 8, policies))).isEqualTo(one);
        assertThat(bytes(lmWarden(12, 3, 8, policies))).isEqualTo(one);
        // On a trace sessions are drawn, under a policy at random seeds as well.
        String trace = bytes(madeUp(1));
        assertThat(bytes(madeUp(8))).isEqualTo(trace);
        assertThat(bytes(madeUp(8))).isEqualTo(trace);
    }

    private static WhatIfResult madeUp(int threads) {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            int s = i * 7 % 15;
            turns.add(new Turn(
                    i,
                    i * 40_000_000L,
                    "s" + s,
                    "",
                    1 + i / 15,
                    1_000_000,
                    Prompt.of((long) s << 20, 200 + 9 * i),
                    20,
                    Turn.freshOutput(i),
                    Turn.Recorded.NOTHING));
        }
        TraceLoad load = new TraceLoad(turns);
        Subject subject =
                new Subject.OfTrace(TraceSummary.of("made-up", "", turns, load.index()), load, Subject.Mode.CLOSED, 0);
        EngineConfig engine = EngineConfig.defaults().withUsableBlocks(200);
        return WhatIf.run(
                new WhatIfRequest(
                        subject,
                        FleetSpec.of(3, engine, TimingPresets.DEFAULT.preset()),
                        "given",
                        "h100-8b",
                        List.of(PolicyChoice.of("random"), PolicyChoice.of("warden"), PolicyChoice.of("round_robin")),
                        4,
                        threads),
                Progress.NONE);
    }

    @Test
    void policiesAreComparedInPairsAndRanked() {
        PolicyComparison comparison =
                lmWarden(8, 4, 2, "random", "warden").comparison().orElseThrow();
        assertThat(comparison.baseline()).isEqualTo("random");
        PolicyComparison.Difference hits =
                comparison.against().get(0).differences().get("hit_pct");
        assertThat(hits.low().orElseThrow()).isPositive().isLessThan(hits.difference());
        assertThat(hits.certain()).isTrue();
        PolicyComparison.Ranking best = comparison.ranking().stream()
                .filter(r -> r.figure().equals("ttft_p50_s"))
                .findFirst()
                .orElseThrow();
        assertThat(best.standings())
                .extracting(PolicyComparison.Standing::policy)
                .containsExactly("warden", "random");
        assertThat(best.standings().get(0).bestPct()).hasValue(100);
        assertThat(best.standings().get(0).regret()).hasValue(0);
        assertThat(best.standings().get(1).regret().orElseThrow()).isGreaterThan(1);
    }

    @Test
    void aFigureIsAlsoGivenByReplicaAndByTurn() {
        PolicyRow row = lmWarden(8, 2, 2, "warden").row("warden").orElseThrow();
        assertThat(row.byReplica()).extracting(GroupRow::name).containsExactly("r0", "r1", "r2", "r3");
        assertThat(row.byReplica().stream().mapToLong(GroupRow::requests).sum()).isCloseTo(row.requests(), within(4L));
        assertThat(row.byTurn()).extracting(GroupRow::name).containsExactly("1", "2", "3", "4", "5", "6");
        // Of a first turn only the system prompt can be cached.
        assertThat(row.byTurn().get(0).hitPct().orElseThrow()).isLessThan(40);
        assertThat(row.byTurn().get(1).hitPct().orElseThrow()).isGreaterThan(85);
        assertThat(row.byTurn().get(1).interval()).containsKeys("hit_pct", "ttft_p50_s", "ttft_p95_s");
        assertThat(row.sessionFairness().orElseThrow()).isBetween(0.5, 1.0);
    }

    @Test
    void affinityKeepsTheCacheWhereSessionsFitAndRandomPlacementLosesIt() {
        WhatIfResult result = lmWarden(8, 4, 2, "random", "warden");
        PolicyRow random = result.row("random").orElseThrow();
        PolicyRow warden = result.row("warden").orElseThrow();
        assertThat(warden.hitPct().orElseThrow()).isBetween(80.0, 90.0);
        assertThat(random.hitPct().orElseThrow()).isBetween(38.0, 52.0);
        assertThat(warden.stayedPct()).hasValue(100);
        assertThat(random.stayedPct().orElseThrow()).isCloseTo(25, within(6.0));
        assertThat(warden.ttftP50S().orElseThrow()).isLessThan(random.ttftP50S().orElseThrow() / 3);
        assertThat(warden.outputTokensPerMin().orElseThrow())
                .isGreaterThan(random.outputTokensPerMin().orElseThrow());
        assertThat(warden.interval().get("hit_pct").low())
                .isLessThan(warden.hitPct().getAsDouble());
        assertThat(warden.unfinishedSessions().orElseThrow()).isEqualTo(8);
        assertThat(result.trace().source()).isEqualTo("workload:lm-warden");
        assertThat(result.trace().requests()).isPositive();
    }

    /** Published figures of the trace, for requests placed at random. */
    @ParameterizedTest
    @CsvSource({"2, 0.930", "4, 0.871", "8, 0.773", "16, 0.635"})
    void claudeCodePlacedAtRandomOnCachesWithoutLimit(int replicas, double hits) {
        assertThat(claudeCode(replicas, "random").hitPct().orElseThrow() / 100).isCloseTo(hits, within(0.005));
    }

    @Test
    void claudeCodeOnOneCacheWithoutLimit() {
        assertThat(claudeCode(1, "warden").hitPct().orElseThrow()).isCloseTo(96.32, within(0.005));
    }

    @Test
    void aPolicyThatDrawsNothingIsReplayedOnceAndItsIntervalsAreOverSessions() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String session = "s" + i % 4;
            turns.add(new Turn(
                    i,
                    i,
                    session,
                    "",
                    1 + i / 4,
                    Turn.UNKNOWN,
                    Prompt.of((i % 4) << 20, 100 + i),
                    1,
                    Turn.freshOutput(i),
                    Turn.Recorded.NOTHING));
        }
        TraceLoad load = new TraceLoad(turns);
        Subject subject =
                new Subject.OfTrace(TraceSummary.of("made-up", "", turns, load.index()), load, Subject.Mode.SERIAL, 0);
        PolicyRow row = WhatIf.run(request(subject, 4, 16, "hash", 10), Progress.NONE)
                .policies()
                .get(0);
        Interval hits = row.interval().get("hit_pct");
        assertThat(hits.low()).isLessThan(row.hitPct().orElseThrow());
        assertThat(hits.high()).isGreaterThan(row.hitPct().orElseThrow());
        assertThat(row.interval()).containsKey("misses.first_turn").doesNotContainKey("ttft_p50_s");
        assertThat(row.kinds()).isEqualTo(Map.of("placed", 4L, "sticky", 36L));
        assertThat(row.stayedPct()).hasValue(100);
        assertThat(row.ttftP50S()).isEmpty();
        assertThat(row.preemptions()).isEmpty();
    }

    /** Turns of prompts that share nothing, the session of each by its position; empty for none. */
    private static Subject apart(Subject.Mode mode, int n, IntFunction<String> session) {
        List<Turn> turns = new ArrayList<>();
        Map<String, Integer> last = new HashMap<>();
        for (int i = 0; i < n; i++) {
            String of = session.apply(i);
            turns.add(new Turn(
                    i,
                    i * 1_000_000L,
                    of,
                    "",
                    of.isEmpty() ? 0 : last.merge(of, 1, Integer::sum),
                    of.isEmpty() ? Turn.UNKNOWN : 0,
                    Prompt.of((long) i << 20, 100 + i * 37 % 101),
                    5,
                    Turn.freshOutput(i),
                    Turn.Recorded.NOTHING));
        }
        TraceLoad load = new TraceLoad(turns);
        return new Subject.OfTrace(TraceSummary.of("made-up", "", turns, load.index()), load, mode, 0);
    }

    /** Of resamples that leave most of the requests out, none reaches the misses that there were. */
    @ParameterizedTest
    @CsvSource({"serial", "open"})
    void requestsWithoutASessionAreDrawnLikeSessionsWhereverTheyStandInTheTrace(String mode) {
        Subject subject =
                apart(Subject.Mode.valueOf(mode.toUpperCase(Locale.ROOT)), 400, i -> i < 300 ? "s" + i % 2 : "");
        PolicyRow row = WhatIf.run(request(subject, 2, 16, "round_robin", 1), Progress.NONE)
                .policies()
                .get(0);
        assertThat(row.interval().get("misses.first_turn").low()).isPositive();
        assertThat(row.interval().get("misses.first_turn").high())
                .isGreaterThan(row.misses().get("first_turn"));
    }

    @Test
    void aSingleSessionSaysNothingOfOthers() {
        WhatIfResult result = twoPolicies(apart(Subject.Mode.CLOSED, 12, i -> "only"), 3);
        for (PolicyRow row : result.policies()) {
            assertThat(row.interval()).containsOnlyKeys("output_tokens_per_min", "replicas_busy");
            assertThat(row.byTurn()).allSatisfy(g -> assertThat(g.interval()).isEmpty());
            assertThat(row.byReplica()).allSatisfy(g -> assertThat(g.interval()).isEmpty());
        }
        PolicyComparison comparison = result.comparison().orElseThrow();
        PolicyComparison.Difference stayed =
                comparison.against().get(0).differences().get("stayed_pct");
        assertThat(stayed.difference()).isPositive();
        assertThat(stayed.interval()).isEmpty();
        assertThat(stayed.certain()).isFalse();
        PolicyComparison.Ranking hits = comparison.ranking().get(0);
        assertThat(hits.figure()).isEqualTo("hit_pct");
        assertThat(hits.standings()).allSatisfy(s -> {
            assertThat(s.bestPct()).isEmpty();
            assertThat(s.regret()).isEmpty();
        });
        JsonNode json = EventCodec.mapper().valueToTree(comparison);
        assertThat(json.at("/against/0/differences/stayed_pct/low").isNull()).isTrue();
        assertThat(json.at("/ranking/0/standings/0/best_pct").isNull()).isTrue();
    }

    @Test
    void aTurnThatOnlyOneSessionReachedHasNoIntervalAndOneOfTwoHasAWideOne() {
        // Four sessions have a first turn, two a second, one a third.
        List<String> sessions = List.of("a", "b", "c", "d", "a", "b", "a");
        PolicyRow row = twoPolicies(apart(Subject.Mode.CLOSED, 7, sessions::get), 1)
                .policies()
                .get(1);
        assertThat(row.byTurn())
                .extracting(g -> g.interval().containsKey("ttft_p50_s"))
                .containsExactly(true, true, false);
    }

    @Test
    void aSingleSessionOfAWorkloadUnderSeveralSeedsIsThatManyUnits() {
        // Within ten seconds no session ends, so that no second one begins.
        PolicyRow one = lmWarden(1, 10, 1, 1, "warden").policies().get(0);
        assertThat(one.interval()).doesNotContainKeys("hit_pct", "ttft_p50_s");
        PolicyRow three = lmWarden(1, 10, 3, 1, "warden").policies().get(0);
        assertThat(three.interval()).containsKeys("hit_pct", "ttft_p50_s");
    }

    private static WhatIfResult twoPolicies(Subject subject, int seeds) {
        return WhatIf.run(
                new WhatIfRequest(
                        subject,
                        FleetSpec.of(2, EngineConfig.defaults(), TimingPresets.DEFAULT.preset()),
                        "unlimited",
                        "h100-8b",
                        List.of(PolicyChoice.of("random"), PolicyChoice.of("warden")),
                        seeds,
                        1),
                Progress.NONE);
    }

    @Test
    void aRowIsNamedAfterThePolicyAndTheParametersGiven() {
        assertThat(PolicyChoice.of("affinity").label()).isEqualTo("warden");
        assertThat(new PolicyChoice("warden", Map.of("overflow_threshold", "4", "live_weight", "2")).label())
                .isEqualTo("warden:live_weight=2:overflow_threshold=4");
    }

    @Test
    void unknownPoliciesAreRefusedBeforeAnythingIsReplayed() {
        assertThatThrownBy(() -> lmWarden(8, 1, 1, "warden", "wardne"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no policy 'wardne'");
    }

    @Test
    void progressGrowsToItsEnd() {
        AtomicReference<Double> last = new AtomicReference<>(0.0);
        WhatIf.run(
                new WhatIfRequest(
                        new Subject.OfWorkload(SPEC, 20),
                        SPEC.fleetSpec(),
                        "given",
                        "",
                        List.of(PolicyChoice.of("warden")),
                        2,
                        2),
                share -> {
                    assertThat(share).isGreaterThanOrEqualTo(last.get());
                    last.set(share);
                });
        assertThat(last.get()).isCloseTo(1, within(1e-9));
    }

    private static Optional<TraceSource.Trace> claude = Optional.empty();

    private static PolicyRow claudeCode(int replicas, String policy) {
        if (claude.isEmpty()) {
            claude = Optional.of(
                    TraceSource.read("claude-code:" + Data.file("claude-code/claude_code_requests_rle.jsonl.gz")));
        }
        Subject subject = Subject.OfTrace.of(claude.get(), Subject.Mode.SERIAL, 0);
        return WhatIf.run(request(subject, replicas, 64, policy, 1), Progress.NONE)
                .policies()
                .get(0);
    }

    private static WhatIfRequest request(Subject subject, int replicas, int blockSize, String policy, int seeds) {
        EngineConfig engine = EngineConfig.defaults().withBlockSize(blockSize);
        return new WhatIfRequest(
                subject,
                FleetSpec.of(replicas, engine, TimingPresets.DEFAULT.preset()),
                "unlimited",
                "h100-8b",
                List.of(PolicyChoice.of(policy)),
                seeds,
                1);
    }

    private static String bytes(WhatIfResult result) throws JsonProcessingException {
        return EventCodec.mapper()
                .writeValueAsString(new WhatIfResult(
                        result.trace(),
                        result.fleet(),
                        0,
                        result.intervals(),
                        result.policies(),
                        result.comparison(),
                        result.selfReplay(),
                        result.notes()));
    }
}
