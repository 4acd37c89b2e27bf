package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfTest {
    private static final WorkloadSpec SPEC = WorkloadSpec.named("lm-warden");

    private static WhatIfResult lmWarden(int sessions, int seeds, int threads, String... policies) {
        return WhatIf.run(
                new WhatIfRequest(
                        new Subject.OfWorkload(SPEC.withSessions(sessions), 120),
                        SPEC.fleetSpec(),
                        "given",
                        "lm-warden",
                        List.of(policies).stream().map(PolicyChoice::of).toList(),
                        seeds,
                        threads),
                Progress.NONE);
    }

    @Test
    void theSameBytesForAnyNumberOfThreads() throws JsonProcessingException {
        assertThat(bytes(lmWarden(12, 3, 1, "random", "warden"))).isEqualTo(bytes(lmWarden(12, 3, 4, "random", "warden")));
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
        assertThat(warden.outputTokensPerMin().orElseThrow()).isGreaterThan(random.outputTokensPerMin().orElseThrow());
        assertThat(warden.interval().get("hit_pct").low()).isLessThan(warden.hitPct().getAsDouble());
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
    void aPolicyThatDrawsNothingIsReplayedOnceAndItsIntervalsAreExact() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String session = "s" + i % 4;
            turns.add(new Turn(
                    i, i, session, "", 1 + i / 4, Turn.UNKNOWN, Prompt.of((i % 4) << 20, 100 + i), 1, Turn.freshOutput(i),
                    Turn.Recorded.NOTHING));
        }
        TraceLoad load = new TraceLoad(turns);
        Subject subject = new Subject.OfTrace(
                TraceSummary.of("made-up", "", turns, load.index()), load, Subject.Mode.SERIAL, 0);
        PolicyRow row = WhatIf.run(request(subject, 4, 16, "hash", 10), Progress.NONE).policies().get(0);
        assertThat(row.interval().get("hit_pct")).isEqualTo(new Interval(row.hitPct().orElseThrow(), row.hitPct().orElseThrow()));
        assertThat(row.kinds()).isEqualTo(Map.of("placed", 4L, "sticky", 36L));
        assertThat(row.stayedPct()).hasValue(100);
        assertThat(row.ttftP50S()).isEmpty();
        assertThat(row.preemptions()).isEmpty();
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
                        new Subject.OfWorkload(SPEC, 20), SPEC.fleetSpec(), "given", "", List.of(PolicyChoice.of("warden")), 2, 2),
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
        return WhatIf.run(request(subject, replicas, 64, policy, 1), Progress.NONE).policies().get(0);
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
                .writeValueAsString(new WhatIfResult(result.trace(), result.fleet(), 0, result.intervals(), result.policies()));
    }
}
