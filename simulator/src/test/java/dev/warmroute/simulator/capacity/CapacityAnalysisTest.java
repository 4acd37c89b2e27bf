package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.replay.Data;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityAnalysisTest {
    @Test
    void theReuseCurveOfTheConversationTraceIsExactAtEveryCapacityAskedFor() {
        List<Long> at = List.of(512_000L, 1_048_576L, 2_048_000L, 4_194_304L, 16_777_216L);
        CapacityResult result =
                ofTrace("mooncake:" + Data.file("mooncake/conversation_trace.jsonl"), CapacityRequest.reuse(512, at));
        ReuseCurve reuse = result.reuse().orElseThrow();
        assertThat(reuse.blockReferences()).isEqualTo(288_500);
        assertThat(reuse.distinctBlocks()).isEqualTo(182_790);
        Map<Long, Double> hits = reuse.curve().stream()
                .collect(Collectors.toMap(ReuseCurve.Point::capacityTokens, ReuseCurve.Point::hitPct));
        double[] expected = {4.5933, 5.6616, 9.1955, 19.2316, 34.6403};
        for (int i = 0; i < expected.length; i++) {
            assertThat(hits.get(at.get(i))).isCloseTo(expected[i], within(0.00005));
        }
        assertThat(reuse.curve().get(reuse.curve().size() - 1).hitPct()).isCloseTo(37.3380, within(0.00005));
        assertThat(result.trace().orElseThrow().promptTokens()).isEqualTo(144_793_823);
        assertThat(result.verdict()).isEmpty();
        assertThat(result.rule()).isEmpty();
        assertThat(result.simulation()).isEmpty();
    }

    @Test
    void theSyntheticTraceHasItsPublishedFigures() {
        ReuseCurve reuse = ofTrace(
                        "mooncake:" + Data.file("mooncake/synthetic_trace.jsonl"),
                        CapacityRequest.reuse(512, List.of()))
                .reuse()
                .orElseThrow();
        assertThat(reuse.blockReferences()).isEqualTo(121_877);
        assertThat(reuse.distinctBlocks()).isEqualTo(43_924);
        assertThat(reuse.curve().get(reuse.curve().size() - 1).hitPct()).isCloseTo(65.0431, within(0.00005));
    }

    @ParameterizedTest
    @CsvSource({"6, FITS", "16, DOES_NOT_FIT"})
    void onADescribedFleetRuleAndSimulationAgree(int sessions, Verdict verdict) {
        CapacityRequest request = new CapacityRequest(
                16,
                List.of(),
                Optional.of(CacheSize.ofTokens(4, 33_520, 16, "given")),
                OptionalInt.empty(),
                Optional.of(new Check(
                        Check.defaults().policy(), TimingPresets.A4000_QWEN3_4B.preset(), 32, 2048, 240, 2, 2)));
        CapacityResult result =
                CapacityAnalysis.ofDemand(Demand.uniform(sessions, 12_500, 3_500), request, Progress.NONE);
        CapacityCheck check = result.simulation().orElseThrow();
        assertThat(result.verdict()).contains(verdict);
        assertThat(result.sessionsFit().orElseThrow().high()).isEqualTo(12);
        assertThat(check.agreement()).startsWith("rule and simulation agree");
        if (verdict == Verdict.FITS) {
            assertThat(check.lostPp().orElseThrow()).isLessThan(3);
        } else {
            assertThat(check.lostPp().orElseThrow()).isGreaterThan(10);
            assertThat(result.limit()).contains(Limit.CACHE);
        }
        assertThat(result.reuse()).isEmpty();
    }

    @Test
    void aRecordedFleetIsJudgedByItsOwnConcurrencyAndReplayed() {
        CapacityRequest request = new CapacityRequest(
                32,
                List.of(),
                Optional.of(new CacheSize(4, 299, 32, "reported")),
                OptionalInt.empty(),
                Optional.of(new Check(Check.defaults().policy(), TimingPresets.CPU_MID.preset(), 32, 512, 0, 1, 1)));
        CapacityResult result = ofTrace("fleet:" + Data.file("vllm-fleet/warden-16.jsonl.gz"), request);
        assertThat(result.rule().orElseThrow().machine().sessions()).isEqualTo(16);
        assertThat(result.verdict()).isPresent();
        assertThat(result.capacitySource()).isEqualTo("reported");
        CapacityCheck check = result.simulation().orElseThrow();
        assertThat(check.row().requests())
                .isEqualTo(result.trace().orElseThrow().requests());
        assertThat(check.hitPct().orElseThrow())
                .isBetween(0.0, check.ceilingPct().orElseThrow());
    }

    @Test
    void aDescriptionWithoutACacheIsRefused() {
        assertThatThrownBy(() -> CapacityAnalysis.ofDemand(
                        Demand.uniform(4, 1000, 0), CapacityRequest.reuse(16, List.of()), Progress.NONE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("needs the cache");
    }

    private static CapacityResult ofTrace(String argument, CapacityRequest request) {
        Function<TraceReader, CapacityResult> analysis = r -> CapacityAnalysis.ofTrace(r, request, Progress.NONE);
        try (TraceReader reader = TraceSource.open(argument)) {
            return analysis.apply(reader);
        }
    }
}
