package dev.warmroute.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class ScenarioRunTest {
    private static final String TRACE = "mooncake:../data/examples/mooncake-small.jsonl";

    private static ScenarioResult only(String yaml) {
        Sweep sweep = Grids.parse(yaml);
        assertThat(sweep.size()).isEqualTo(1);
        Map.Entry<String, Scenario> one =
                sweep.scenarios().entrySet().iterator().next();
        return ScenarioRun.run(one.getKey(), one.getValue(), load(sweep), Progress.NONE);
    }

    private static LoadedSubject load(Sweep sweep) {
        return switch (sweep.subject()) {
            case SweepSubject.OfTrace t -> LoadedSubject.of(t, t.trace());
            case SweepSubject.OfWorkload w -> LoadedSubject.of(w);
        };
    }

    private static PolicyRow whatIf(Subject subject, FleetSpec fleet, String policy) {
        return WhatIf.run(
                        new WhatIfRequest(subject, fleet, "given", "", List.of(PolicyChoice.of(policy)), 1, 1),
                        Progress.NONE)
                .policies()
                .getFirst();
    }

    /** But for what the bootstrap adds. */
    private static void assertSame(ScenarioResult result, PolicyRow row) {
        assertThat(result.reason()).isEmpty();
        assertThat(result.figures()).contains(ScenarioFigures.of(row, 0));
    }

    @Test
    void aScenarioOfAWorkloadGivesWhatWhatIfGives() {
        WorkloadSpec spec = WorkloadSpec.named("lm-warden");
        assertSame(
                only("{workload: lm-warden, seconds: 30, policies: warden}"),
                whatIf(new Subject.OfWorkload(spec, 30), spec.fleetSpec(), "warden"));
        FleetSpec other = spec.fleetSpec().withReplicas(2);
        assertSame(
                only(
                        "{workload: lm-warden, seconds: 30, policies: random, sessions: 6, replicas: 2, capacities: 1000}"),
                whatIf(
                        new Subject.OfWorkload(spec.withSessions(6), 30),
                        other.withEngine(other.engine().withUsableBlocks(1000)),
                        "random"));
    }

    @Test
    void aScenarioOfATraceGivesWhatWhatIfGives() {
        FleetSpec fleet =
                FleetSpec.of(4, EngineConfig.defaults().withUnlimitedBlocks(), TimingPresets.DEFAULT.preset());
        Subject subject = Subject.OfTrace.byDefault(TraceSource.read(TRACE));
        assertSame(only("{trace: '" + TRACE + "', policies: round_robin}"), whatIf(subject, fleet, "round_robin"));
        FleetSpec bounded = fleet.withReplicas(2)
                .withEngine(fleet.engine().withBlockSize(512).withUsableBlocks(8))
                .withTiming(TimingPresets.named("a4000-qwen3-4b"));
        assertSame(
                only("{trace: '" + TRACE + "', policies: round_robin, replicas: 2, capacities: 4096 tokens,"
                        + " engines: [{block_size: 512, timing: a4000-qwen3-4b}]}"),
                whatIf(subject, bounded, "round_robin"));
    }

    @Test
    void aCacheSmallerThanEveryPromptIsAReasonAndNoFigures() {
        ScenarioResult result = only("{workload: lm-warden, seconds: 5, policies: warden, capacities: 100}");
        assertThat(result.reason())
                .contains("requests are longer than a replica can serve")
                .contains("a cache of 100 blocks of 16 tokens");
        assertThat(result.figures()).isEmpty();
    }

    @Test
    void aCacheSmallerThanSomePromptsIsAReasonBesideTheFiguresOfTheOthers() {
        ScenarioResult result =
                only("{trace: '" + TRACE + "', policies: round_robin, mode: open, capacities: 1800 tokens}");
        assertThat(result.reason()).startsWith("1 of 3 requests are longer than a replica can serve");
        assertThat(result.figures()).hasValueSatisfying(f -> {
            assertThat(f.refused()).isEqualTo(1);
            assertThat(f.promptTokens()).isEqualTo(1100 + 1600);
        });
    }

    @Test
    void whatAnEngineCannotBeIsAReason() {
        assertThat(only("{workload: lm-warden, seconds: 5, policies: warden, capacities: 8 tokens}")
                        .reason())
                .startsWith("a cache has 1 to");
    }

    @Test
    void theVersionOfTheEngineDecides() {
        FleetSpec machine = WorkloadSpec.named("lm-warden").fleetSpec();
        FleetSpec old = EngineChoice.ofVersion("0.8.0").on(machine, true, CacheChoice.OWN);
        assertThat(old.engine().rules().nullBlock()).isFalse();
        assertThat(old.engine().usableBlocks()).isEqualTo(machine.engine().usableBlocks());
        assertThat(old.engine().maxNumSeqs()).isEqualTo(32);
        assertThat(EngineChoice.ofVersion("0.8.0")
                        .on(machine, false, CacheChoice.OWN)
                        .engine()
                        .maxNumSeqs())
                .isEqualTo(256);
        assertThat(EngineChoice.newest().on(machine, true, CacheChoice.OWN)).isEqualTo(machine);
    }

    @Test
    void itCanBeEndedFromOutside() {
        Sweep sweep = Grids.small(1);
        Map.Entry<String, Scenario> one =
                sweep.scenarios().entrySet().iterator().next();
        assertThatThrownBy(() -> ScenarioRun.run(one.getKey(), one.getValue(), load(sweep), share -> {
                    throw new CancellationException("enough");
                }))
                .isInstanceOf(CancellationException.class);
    }
}
