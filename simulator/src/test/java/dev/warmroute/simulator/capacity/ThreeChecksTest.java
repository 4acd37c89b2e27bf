package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ThreeChecksTest {
    private static final CacheSize CACHE = CacheSize.ofTokens(4, 33_520, 16, "given");

    @Test
    void checksThatAgreeNeedNoReason() {
        ThreeChecks checks = ThreeChecks.of(rule(6), curve(86.2), Optional.of(check(85.1, 86.4)));
        assertThat(checks.agree()).isTrue();
        assertThat(checks.reasons()).isEmpty();
        assertThat(checks.rule()).isEqualTo(Verdict.FITS);
        assertThat(checks.utilisation()).isBetween(0.5, 0.7);
    }

    @Test
    void aCurveAboveTheSimulationIsExplainedByWhatWasOverwrittenWhileItWaited() {
        ThreeChecks checks = ThreeChecks.of(rule(16), curve(80.1), Optional.of(check(51.3, 86.4)));
        assertThat(checks.agree()).isFalse();
        assertThat(checks.reasons()).hasSize(1);
        assertThat(checks.reasons().get(0))
                .contains(
                        "allows 80.1 %",
                        "reaches 51.3 %",
                        "60 % of the missed tokens had been overwritten while their request waited",
                        "20 % lay on another replica",
                        "waits 12.5 s");
    }

    @Test
    void aRuleThatHoldsWhereTheCacheIsLostIsContradictedWithFigures() {
        ThreeChecks checks = ThreeChecks.of(rule(6), Optional.empty(), Optional.of(check(60, 86.4)));
        assertThat(checks.reasons())
                .singleElement()
                .asString()
                .contains("the rule holds", "loses 26.4 points of the ceiling of 86.4 %");
    }

    @Test
    void aRuleThatDoesNotHoldWhereTheCacheIsKeptIsExplainedByWhoIsBusy() {
        ThreeChecks checks = ThreeChecks.of(rule(16), curve(85.9), Optional.of(check(85.5, 86.4)));
        assertThat(checks.reasons()).hasSize(2);
        assertThat(checks.reasons().get(0)).contains("does not hold", "loses only 0.9 points", "2.50 of the replicas");
        assertThat(checks.reasons().get(1)).contains("caches of this size lose only 0.5 points");
    }

    @Test
    void aCurveOfMoreSessionsThanAreAskedAboutIsNoBoundForThem() {
        ThreeChecks checks = ThreeChecks.of(
                rule(6), Optional.of(new Findings.Curve(59.6, OptionalInt.of(90))), Optional.of(check(86.3, 86.4)));
        assertThat(checks.reasons())
                .singleElement()
                .asString()
                .contains("there 90 sessions are open at a time", "here 6");
    }

    private static Optional<Findings.Curve> curve(double hitPct) {
        return Optional.of(new Findings.Curve(hitPct, OptionalInt.empty()));
    }

    private static Rule rule(int sessions) {
        return Rule.even(Demand.uniform(sessions, 12_500, 3_500), CACHE);
    }

    private static CapacityCheck check(double hit, double ceiling) {
        PolicyRow row = new PolicyRow(
                "warden",
                100,
                1_000_000,
                OptionalLong.of(1),
                OptionalDouble.of(hit),
                OptionalDouble.of(1),
                OptionalDouble.of(1),
                OptionalDouble.of(12.5),
                OptionalDouble.of(2.5),
                OptionalDouble.of(100),
                OptionalLong.of(0),
                OptionalDouble.of(1),
                OptionalDouble.of(1),
                OptionalLong.of(0),
                new TreeMap<>(),
                new TreeMap<>(Map.of("evicted_waiting", 600L, "moved", 200L, "first_turn", 200L)),
                new TreeMap<>());
        return new CapacityCheck(
                "warden",
                16,
                600,
                OptionalDouble.of(hit),
                OptionalDouble.of(ceiling),
                OptionalDouble.of(ceiling - hit),
                0.5,
                Optional.empty(),
                "",
                row);
    }
}
