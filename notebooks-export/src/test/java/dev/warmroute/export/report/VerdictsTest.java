package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.export.figure.Metric;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VerdictsTest {
    @Test
    void whatDoesNotFitSaysHowManyDo() {
        VerdictBox box = new ReportBuilder("t")
                .capacity(SampleReports.capacity(16))
                .build()
                .verdict();
        assertThat(box.level()).isEqualTo(Level.DOES_NOT_FIT);
        assertThat(box.recommendation()).isEqualTo("Admit at most 8 sessions at a time, or add cache.");
        assertThat(box.answer().replace('\u00a0', ' '))
                .isEqualTo(
                        "16 sessions with contexts of 12,731 tokens need 161,920 tokens; the cache of 4 replicas holds"
                                + " 134,080 tokens, reported by the engine.");
    }

    @Test
    void betweenMeanAndTailIsTheEdge() {
        VerdictBox box = new ReportBuilder("t")
                .capacity(SampleReports.capacity(12))
                .build()
                .verdict();
        assertThat(box.level()).isEqualTo(Level.EDGE);
        assertThat(box.recommendation()).contains("at most 8 sessions");
    }

    @Test
    void aClearWinnerIsNamedWithItsPrice() {
        VerdictBox box = SampleReports.comparison().verdict();
        assertThat(box.headline()).isEqualTo("fit is ahead");
        assertThat(box.answer().replace('\u00a0', ' '))
                .isEqualTo("fit has the best output of 5 policies, 16,173 tokens/min. Against warden it is better in"
                        + " prefix hit, TTFT p50, session p50. Its price: TTFT p95 (25.9 s against"
                        + " 13.1 s).");
        assertThat(box.recommendation()).contains("before it replaces warden");
    }

    @Test
    void policiesThatCannotBeToldApartHaveNoWinner() {
        VerdictBox box = verdict(plain("a", 50, 1000, 60), plain("b", 50, 1040, 60), plain("c", 40, 700, 60));
        assertThat(box.headline()).isEqualTo("No clear winner");
        assertThat(box.answer()).contains("a cannot be told apart from it");
        assertThat(box.recommendation()).isEqualTo("Keep a; what is ahead of it cannot be told apart from it.");
    }

    @Test
    void whatIsBetterInOtherFiguresAndWorseInNoneIsAhead() {
        VerdictBox box = verdict(
                SampleReports.row("a", 10_000, 20, 1, 1000, 60, 9, 90, 30, 40, 1, 50, 0, new TreeMap<>()),
                SampleReports.row("b", 10_000, 50, 1, 1040, 60, 1, 10, 3, 4, 1, 50, 0, new TreeMap<>()));
        assertThat(box.headline()).isEqualTo("b is ahead");
        assertThat(box.answer())
                .contains("a cannot be told apart from it", "better in prefix hit, TTFT p50, TTFT p95, session p50");
        assertThat(box.recommendation()).startsWith("Check b");
    }

    @Test
    void aFigureWithoutAnIntervalIsToldApartFromNone() {
        PolicyRow a = plain("a", 50, 1000, 10), b = plain("b", 50, 2000, 10);
        assertThat(new Ranking(List.of(a, b), Optional.empty()).indistinguishable(Metric.OUTPUT_TOKENS_PER_MIN, b))
                .isEmpty();
        assertThat(new Ranking(List.of(a, b), Optional.empty()).indistinguishable(Metric.SESSION_P95_S, b))
                .containsExactly("a");
    }

    @Test
    void aBaselineThatIsBehindIsNamed() {
        VerdictBox box = verdict(
                plain("a", 40, 700, 60), plain("b", 50, 1000, 60), plain("c", 51, 1040, 60), plain("d", 51, 1030, 60));
        assertThat(box.headline()).isEqualTo("a is behind");
        assertThat(verdict(plain("a", 40, 700, 60), plain("b", 50, 1000, 60), plain("c", 51, 1040, 60))
                        .headline())
                .isEqualTo("c and b are ahead");
        assertThat(box.recommendation()).isEqualTo("Check c against your assertions before it replaces a.");
    }

    @Test
    void atRecordedTimesTheTailDecides() {
        WhatIfResult open = new WhatIfResult(
                SampleReports.TRACE,
                Optional.of(new FleetSummary(
                        "open",
                        "recorded",
                        OptionalInt.empty(),
                        8,
                        512,
                        OptionalInt.of(2048),
                        "given",
                        "h100-8b",
                        1,
                        1)),
                1,
                "",
                List.of(
                        SampleReports.row("a", 10_000, 50, 0, 1000, 0, 1, 9, 3, 4, 1, 50, 0, new TreeMap<>()),
                        SampleReports.row("b", 10_000, 50, 0, 1000, 0, 1, 2, 3, 4, 1, 50, 0, new TreeMap<>())));
        assertThat(new ReportBuilder("t").whatIf(open).build().verdict().headline())
                .isEqualTo("b is ahead");
    }

    @Test
    void theOperatorsWordReplacesTheDefault() {
        ReportModel model = new ReportBuilder("t")
                .capacity(SampleReports.capacity(16))
                .recommend("Buy a card.")
                .build();
        assertThat(model.verdict().recommendation()).isEqualTo("Buy a card.");
    }

    @Test
    void whereAllAreEqualNothingIsBold() {
        Scenario scenario =
                Scenario.of("", OptionalInt.empty(), result(plain("a", 50, 1000, 0), plain("b", 50, 900, 0)), "a");
        String markdown = new MarkdownReport()
                .render(new ReportBuilder("t")
                        .whatIf(result(plain("a", 50, 1000, 0), plain("b", 50, 900, 0)))
                        .build());
        assertThat(markdown).contains("| a | 50.0 | **1,000** |");
        assertThat(scenario.changes().get(0).byMetric())
                .containsEntry("output_tokens_per_min", -10.0)
                .containsEntry("hit_pct", 0.0);
    }

    @Test
    void errorsAreSummedUpByMetric() {
        ReportModel model = SampleReports.full();
        ComparisonSummary hit = model.accuracy().get(0);
        assertThat(hit.metric()).isEqualTo(Metric.HIT_PCT.field());
        assertThat(hit.cases()).isEqualTo(10);
        assertThat(hit.meanError()).isCloseTo(2.07, within(0.01));
        assertThat(hit.worstError()).isCloseTo(7.7, within(1e-9));
        assertThat(hit.worstCase()).isEqualTo("24 sessions, warden");
        assertThat(hit.bias()).isCloseTo(-0.58, within(0.001));
        ComparisonSummary output = model.accuracy().get(1);
        assertThat(output.meanError()).as("percent of the measured").isCloseTo(12.9, within(0.05));
    }

    private static VerdictBox verdict(PolicyRow... rows) {
        return new ReportBuilder("t").whatIf(result(rows)).build().verdict();
    }

    private static WhatIfResult result(PolicyRow... rows) {
        return new WhatIfResult(SampleReports.TRACE, Optional.empty(), 1, "seeds", List.of(rows));
    }

    private static PolicyRow plain(String name, double hit, double output, double half) {
        return SampleReports.row(name, 10_000, hit, 0, output, half, 1, 2, 3, 4, 1, 50, 0, new TreeMap<>());
    }
}
