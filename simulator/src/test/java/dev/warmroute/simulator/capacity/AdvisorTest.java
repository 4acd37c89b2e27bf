package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.CapacityRequest.Outlook;
import dev.warmroute.simulator.replay.Data;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AdvisorTest {
    private static final Outlook ADVISED = new Outlook(OptionalDouble.of(1), OptionalDouble.empty(), true);

    @Test
    void whatWouldMoveADescribedFleetIsFoundWhateverTheThreads() {
        List<Advice> advice = described(1);
        assertThat(described(3)).isEqualTo(advice);
        Advice now = advice.get(0);
        assertThat(now.change()).isEqualTo("now");
        assertThat(now.rule()).isEqualTo(Verdict.DOES_NOT_FIT);
        assertThat(now.simulated().lostPp().orElseThrow()).isGreaterThan(10);
        assertThat(now.keptGained()).isEmpty();
        var by = advice.stream().skip(1).collect(Collectors.toMap(Advice::change, Function.identity(), (a, b) -> a));
        assertThat(by.keySet()).contains("fp8_cache", "replica", "cap", "policy_fit", "shorter_context");
        for (String larger : List.of("fp8_cache", "replica")) {
            assertThat(by.get(larger).sessionsGained()).as(larger).isPositive();
            assertThat(by.get(larger).keptGained().orElseThrow()).as(larger).isPositive();
        }
        assertThat(by.get("fp8_cache").keptGained().orElseThrow())
                .isGreaterThan(by.get("replica").keptGained().orElseThrow());
        assertThat(by.get("cap").sessionsKept()).as("the same fleet").isEqualTo(now.sessionsKept());
        assertThat(by.get("policy_fit").sessionsKept())
                .as("what waits at the router loses no cache")
                .isEmpty();
        assertThat(by.get("policy_fit").keptGained()).isEmpty();
        assertThat(by.get("fp8_cache").simulated().lostPp().orElseThrow()).isLessThan(10);
        assertThat(by.get("cap").simulated().hitPct().orElseThrow())
                .isGreaterThan(now.simulated().hitPct().orElseThrow());
        assertThat(advice.stream().skip(1).map(a -> a.keptGained().orElse(0)).toList())
                .isSortedAccordingTo((a, b) -> b - a);
    }

    @Test
    void theSessionsOfATraceAreVariedToo() {
        CapacityRequest request = new CapacityRequest(
                32,
                List.of(),
                Optional.of(new CacheSize(4, 299, 32, "reported")),
                OptionalInt.empty(),
                Optional.of(new Check(Check.defaults().policy(), TimingPresets.CPU_MID.preset(), 32, 512, 0, 1, 2)),
                Optional.empty(),
                ADVISED);
        try (TraceReader reader = TraceSource.open("fleet:" + Data.file("vllm-fleet/warden-32.jsonl.gz"))) {
            CapacityResult result = CapacityAnalysis.ofTrace(reader, request, Progress.NONE);
            Advice now = result.advice().get(0);
            assertThat(now.simulated().sessions()).hasValue(32);
            assertThat(now.sessionsKept().orElseThrow())
                    .isBetween(8, 20); // measured: 8 keep their cache, 16 lose 18 points
            assertThat(result.advice())
                    .filteredOn(a -> a.change().equals("fp8_cache"))
                    .singleElement()
                    .satisfies(a -> assertThat(a.keptGained().orElseThrow()).isPositive());
            assertThat(result.workingSet().orElseThrow().peakTokens())
                    .isGreaterThan(result.cache().orElseThrow().tokens());
            assertThat(result.headroom().orElseThrow().days()).hasValue(0);
        }
    }

    /** Six short sessions, which all fit: more of them at a time than there are cannot be replayed. */
    @Test
    void noMoreSessionsAreKeptThanTheTraceHas() {
        List<Turn> turns = new ArrayList<>();
        for (int s = 0; s < 6; s++) {
            for (int t = 0; t < 3; t++) {
                int index = 3 * s + t;
                turns.add(new Turn(
                        index,
                        (10 * s + 5 * t) * 1_000_000_000L,
                        "s" + s,
                        "",
                        t + 1,
                        t == 0 ? Turn.UNKNOWN : 1_000_000_000L,
                        Prompt.of(s * 100_000L, 500 + 100 * t),
                        10,
                        Turn.freshOutput(index),
                        Turn.Recorded.NOTHING));
            }
        }
        TraceSample sample = TraceSample.of(turns, 4, 0);
        assertThat(sample.sessions()).isEqualTo(6);
        Situation now = Situation.now(
                new Demand(4, 0, 600, 700, 10, 10),
                CacheSize.ofTokens(2, 100_000, 16, "given"),
                Check.defaults(),
                Optional.empty());
        List<Advice> advice = new Advisor(
                        now, sample.sessions(), (situation, n) -> sample.closed(n, situation.contextPct()))
                .advice(Progress.NONE);
        assertThat(advice.get(0).sessionsKept()).hasValue(6);
        assertThat(advice.get(0).orMore()).isTrue();
        assertThat(advice).allSatisfy(a -> assertThat(a.keptGained()).isEmpty());
    }

    private static List<Advice> described(int threads) {
        Check how =
                new Check(Check.defaults().policy(), TimingPresets.A4000_QWEN3_4B.preset(), 32, 2048, 120, 1, threads);
        CapacityRequest request = new CapacityRequest(
                16,
                List.of(),
                Optional.of(CacheSize.ofTokens(2, 33_520, 16, "given")),
                OptionalInt.empty(),
                Optional.of(how),
                Optional.empty(),
                ADVISED);
        return CapacityAnalysis.ofDemand(new Demand(10, 3_500, 12_500, 14_100, 230, 256), request, Progress.NONE)
                .advice();
    }
}
