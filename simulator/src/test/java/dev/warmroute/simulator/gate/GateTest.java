package dev.warmroute.simulator.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.Study;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.gate.Judgement.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A published agent load of eight sessions: warden hits 86 % or so, random far less. */
class GateTest {
    private static final WorkloadSpec SPEC = WorkloadSpec.named("lm-warden").withSessions(8);
    private static final PolicyChoice WARDEN = PolicyChoice.of("warden");
    private static final PolicyChoice RANDOM = PolicyChoice.of("random");

    /** The two policies under ten seeds, random first. */
    private static final WhatIfRequest BOTH = request(List.of(RANDOM, WARDEN));

    private static final Study STUDY = WhatIf.study(BOTH, Progress.NONE);

    private static WhatIfRequest request(List<PolicyChoice> policies) {
        return new WhatIfRequest(
                new Subject.OfWorkload(SPEC, 60),
                SPEC.fleetSpec(),
                "given",
                "lm-warden",
                policies,
                Gate.LEAST_SEEDS,
                2);
    }

    private static Gate gate(JudgeBy by, boolean accept, String... assertions) {
        return new Gate(
                WARDEN,
                Optional.of(RANDOM),
                Stream.of(assertions).map(Assertion::parse).toList(),
                by,
                accept);
    }

    private static CheckResult check(Gate gate, Optional<SelfReplay> selfReplay, Optional<CapacityResult> capacity) {
        return gate.judge(BOTH, STUDY, selfReplay, capacity, List.of("a note"), "1.0");
    }

    /** Judges assertions, one of which names the baseline, so that both policies count. */
    private static List<Judgement> judged(JudgeBy by, String... assertions) {
        String[] all =
                Stream.concat(Stream.of("hit>=baseline"), Stream.of(assertions)).toArray(String[]::new);
        return check(gate(by, false, all), Optional.empty(), Optional.empty())
                .evidence()
                .assertions();
    }

    private static Outcome outcome(JudgeBy by, String assertion) {
        return judged(by, assertion).get(1).outcome();
    }

    @Test
    void anAssertionHoldsOnlyIfItsWholeIntervalIsOnTheRightSide() {
        Judgement hit = judged(JudgeBy.INTERVAL, "hit>=1%").get(1);
        double value = hit.value().orElseThrow();
        double low = hit.low().orElseThrow();
        double high = hit.high().orElseThrow();
        assertThat(hit.outcome()).isEqualTo(Outcome.OK);
        assertThat(value).isStrictlyBetween(low, high);
        assertThat(value).isEqualTo(STUDY.result().policies().get(1).hitPct().orElseThrow());
        assertThat(outcome(JudgeBy.INTERVAL, "hit>=" + (low + value) / 2 + "%")).isEqualTo(Outcome.TOO_UNCERTAIN);
        assertThat(outcome(JudgeBy.INTERVAL, "hit<=" + (high + value) / 2 + "%"))
                .isEqualTo(Outcome.TOO_UNCERTAIN);
        assertThat(outcome(JudgeBy.INTERVAL, "hit>=" + (high + 0.01) + "%")).isEqualTo(Outcome.FAILED);
        assertThat(outcome(JudgeBy.INTERVAL, "hit<" + (low - 0.01) + "%")).isEqualTo(Outcome.FAILED);
        assertThat(outcome(JudgeBy.INTERVAL, "hit<" + (high + 0.01) + "%")).isEqualTo(Outcome.OK);
        assertThat(outcome(JudgeBy.FIGURE, "hit>=" + (low + value) / 2 + "%")).isEqualTo(Outcome.OK);
        assertThat(outcome(JudgeBy.FIGURE, "hit>=" + (high + value) / 2 + "%")).isEqualTo(Outcome.FAILED);
    }

    @Test
    void theBaselineIsHeldAgainstInPairs() {
        List<Judgement> judged = judged(
                JudgeBy.INTERVAL,
                "hit>=baseline+5pp",
                "hit>=baseline+90pp",
                "ttft_p50<=0.9*baseline",
                "ttft_p50<=0.01*baseline");
        assertThat(judged)
                .extracting(Judgement::outcome)
                .containsExactly(Outcome.OK, Outcome.OK, Outcome.FAILED, Outcome.OK, Outcome.FAILED);
        Judgement better = judged.get(1);
        assertThat(better.baseline()).isEqualTo(STUDY.result().policies().get(0).hitPct());
        assertThat(better.bound().orElseThrow()).isEqualTo(better.baseline().orElseThrow() + 5);
        var paired = STUDY.result()
                .comparison()
                .orElseThrow()
                .against()
                .get(0)
                .differences()
                .get("hit_pct");
        assertThat(better.high().orElseThrow() - better.low().orElseThrow())
                .as("width of the paired difference")
                .isCloseTo(paired.high().orElseThrow() - paired.low().orElseThrow(), within(1e-9));
        assertThat(better.value().orElseThrow())
                .isBetween(better.low().orElseThrow(), better.high().orElseThrow());
    }

    @Test
    void aPolicyIsAsGoodAsItself() {
        WhatIfRequest twice = request(List.of(WARDEN, WARDEN));
        Gate gate = new Gate(
                WARDEN,
                Optional.of(WARDEN),
                List.of(
                        Assertion.parse("hit>=baseline"),
                        Assertion.parse("hit>baseline"),
                        Assertion.parse("ttft_p95<=1*baseline")),
                JudgeBy.INTERVAL,
                false);
        CheckResult result = gate.judge(
                twice, WhatIf.study(twice, Progress.NONE), Optional.empty(), Optional.empty(), List.of(), "1.0");
        assertThat(result.evidence().assertions())
                .extracting(Judgement::outcome)
                .containsExactly(Outcome.OK, Outcome.FAILED, Outcome.OK);
    }

    @Test
    void whatHasNoIntervalIsJudgedByItsFigureAndWhatWasNotComputedDoesNotPass() {
        List<Judgement> judged = judged(
                JudgeBy.INTERVAL,
                "kinds.failover<=0",
                "requests>=1",
                "misses.replica_restarted<=0",
                "external_hits>=0",
                "kinds.sticky<=baseline");
        assertThat(judged.stream().skip(1).map(Judgement::outcome))
                .containsExactly(Outcome.OK, Outcome.OK, Outcome.OK, Outcome.NOT_COMPUTED, Outcome.FAILED);
        assertThat(judged.get(1).low()).isEmpty();
        assertThat(judged.get(1).detail()).contains("by the figure alone");
        assertThat(judged.get(4).detail()).contains("gives no external_hits");
    }

    @Test
    void aSingleSessionSaysTooLittle() {
        WorkloadSpec one = SPEC.withSessions(1);
        WhatIfRequest request = new WhatIfRequest(
                new Subject.OfWorkload(one, 5), one.fleetSpec(), "given", "lm-warden", List.of(WARDEN), 10, 1);
        Study ofOneSeed = WhatIf.study(
                new WhatIfRequest(request.subject(), request.fleet(), "given", "lm-warden", List.of(WARDEN), 1, 1),
                Progress.NONE);
        Gate gate = new Gate(
                WARDEN, Optional.empty(), List.of(Assertion.parse("output>=1tok/min")), JudgeBy.INTERVAL, false);
        CheckResult result = gate.judge(request, ofOneSeed, Optional.empty(), Optional.empty(), List.of(), "1.0");
        assertThat(result.evidence().assertions().get(0).outcome()).isEqualTo(Outcome.TOO_UNCERTAIN);
        assertThat(result.ok()).isFalse();
    }

    @Test
    void fitsIsTheVerdictOfTheCapacityAnalysis() {
        Map<Verdict, Outcome> expected = Map.of(
                Verdict.FITS, Outcome.OK, Verdict.EDGE, Outcome.TOO_UNCERTAIN, Verdict.DOES_NOT_FIT, Outcome.FAILED);
        expected.forEach((verdict, outcome) -> {
            CheckResult result =
                    check(gate(JudgeBy.INTERVAL, false, "hit>=baseline", "fits"), Optional.empty(), capacity(verdict));
            assertThat(result.evidence().assertions().get(1).outcome()).isEqualTo(outcome);
            assertThat(result.ok()).isEqualTo(verdict == Verdict.FITS);
        });
    }

    private static Optional<CapacityResult> capacity(Verdict verdict) {
        return Optional.of(new CapacityResult(
                Optional.empty(),
                Optional.of(verdict),
                Optional.of(new CapacityResult.SessionsFit(10, 12)),
                Optional.empty(),
                "given",
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    }

    private static Optional<SelfReplay> selfReplay(boolean faithful) {
        SelfReplay.Figures figures = new SelfReplay.Figures(
                100, 50, 10, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        return Optional.of(new SelfReplay(
                "warden", 10, figures, Optional.empty(), figures, Optional.empty(), faithful ? 1 : -12.5, 3, faithful));
    }

    @Test
    void aRecordingThatIsNotReplayedFaithfullyLetsNothingPassUnlessItIsAccepted() {
        CheckResult refused =
                check(gate(JudgeBy.INTERVAL, false, "hit>=baseline"), selfReplay(false), Optional.empty());
        assertThat(refused.evidence().assertions()).allMatch(Judgement::ok);
        assertThat(refused.ok()).isFalse();
        assertThat(refused.warning().orElseThrow()).contains("-12.5 %", "does not pass");
        assertThat(refused.verdict()).startsWith("NOT PASSED");
        CheckResult accepted =
                check(gate(JudgeBy.INTERVAL, true, "hit>=baseline"), selfReplay(false), Optional.empty());
        assertThat(accepted.ok()).isTrue();
        assertThat(accepted.warning().orElseThrow()).contains("accepted all the same");
        assertThat(check(gate(JudgeBy.INTERVAL, false, "hit>=baseline"), selfReplay(true), Optional.empty())
                        .ok())
                .isTrue();
    }

    @Test
    void theHashIsThatOfEverythingElseInTheAnswerAndOfNothingThatDiffersElsewhere() throws Exception {
        CheckResult result =
                check(gate(JudgeBy.INTERVAL, false, "hit>=baseline", "fits"), selfReplay(true), capacity(Verdict.FITS));
        JsonNode json = new ObjectMapper().readTree(EventCodec.mapper().writeValueAsString(result));
        assertThat(json.fieldNames()).toIterable().startsWith("ok", "hash", "source", "notes", "assertions");
        assertThat(json.path("assertions").get(0).fieldNames())
                .toIterable()
                .startsWith("text", "ok")
                .contains("value", "low", "high");
        ((ObjectNode) json).remove(List.of("ok", "hash", "source", "notes"));
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(json.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(result.hash()).isEqualTo(HexFormat.of().formatHex(digest));
        CheckResult again = new CheckResult(result.evidence(), "elsewhere", List.of());
        assertThat(again.hash()).isEqualTo(result.hash());
        assertThat(check(gate(JudgeBy.FIGURE, false, "hit>=baseline", "fits"), selfReplay(true), capacity(Verdict.FITS))
                        .hash())
                .isNotEqualTo(result.hash());
    }

    @Test
    void aGateNeedsAssertionsSeedsAndWhatItIsHeldAgainst() {
        assertThatThrownBy(() -> new Gate(WARDEN, Optional.empty(), List.of(), JudgeBy.INTERVAL, false))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("at least one assertion");
        assertThatThrownBy(() -> new Gate(
                        WARDEN, Optional.empty(), List.of(Assertion.parse("hit>=baseline")), JudgeBy.INTERVAL, false))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--baseline");
        assertThatThrownBy(() -> Gate.seeds(9)).isInstanceOf(UserError.class).hasMessageContaining("at least 10 seeds");
        assertThat(new Gate(WARDEN, Optional.of(RANDOM), List.of(Assertion.parse("fits")), JudgeBy.INTERVAL, false)
                        .policies())
                .as("a baseline that nothing is held against is not replayed")
                .containsExactly(WARDEN);
    }

    @Test
    void aPolicyIsNamedByWhatDiffersFromItsDefaults() {
        PolicyChoice nine = new PolicyChoice("warden", Map.of("overflow_threshold", "9"));
        Gate gate = new Gate(nine, Optional.empty(), List.of(Assertion.parse("fits")), JudgeBy.INTERVAL, false);
        PolicyChoice asRecorded = new PolicyChoice("warden", gate.identity(16).config());
        assertThat(asRecorded.parameters()).hasSizeGreaterThan(1);
        assertThat(Gate.concise(asRecorded, 16)).isEqualTo(nine);
    }
}
