package dev.warmroute.export.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChartDataTest {
    @Test
    void theSummarySaysWhatTheChartShows() {
        assertThat(SampleCharts.byPolicy().summary().replace('\u00a0', ' '))
                .isEqualTo("Prefix hit from 35.4 % (round_robin) to 51.3 % (warden).");
        assertThat(SampleCharts.load("x", 0, 10, 30).summary().replace('\u00a0', ' '))
                .isEqualTo(
                        "30 requests on the busiest replica, 1.50 times an even share. Placed at random, a replica would"
                                + " have 88 to 131 in 95 of 100 cases; 2 of 2 have not.");
        assertThat(chart("trade"))
                .isEqualTo("No policy is better in both than b (13,000 tokens/min, 13.0 s), c (16,000 tokens/min,"
                        + " 26.0 s).");
        assertThat(chart("distances"))
                .startsWith("33.8 % of the prompt tokens are said again; half of these within 16,000 tokens of"
                        + " other tokens, most often between 4,000 tokens and 16,000 tokens.");
        assertThat(chart("contexts")).startsWith("The median prompt grows from");
        assertThat(SampleCharts.coldAndWarm().summary().replace('\u00a0', ' '))
                .isEqualTo(
                        "At 1: 1.75 s cold, 1.06 s warm, 1.65 times as fast. At 4: 5.93 s cold, 3.95 s warm, 1.50 times as fast."
                                + " At 8: 15.2 s cold, 9.82 s warm, 1.54 times as fast.");
        assertThat(SampleCharts.hitByCapacity().summary().replace('\u00a0', ' '))
                .contains("One replica (1,048,576 tokens): 5.7 %", "All 8 replicas (8,388,608 tokens): about ");
        assertThat(SampleCharts.predicted(
                                Metric.HIT_PCT,
                                new double[][] {{50, 44, 33, 33, 32}, {86, 86, 49, 38, 32}},
                                new double[][] {{51, 44, 33, 33, 32}, {86, 86, 49, 29, 32}},
                                8)
                        .summary()
                        .replace('\u00a0', ' '))
                .isEqualTo("Predicted and measured Prefix hit differ by 1.0 pp on average, at most 9.0 pp (24 sessions,"
                        + " affinity), over 10 cases.");
    }

    private static String chart(String id) {
        return SampleCharts.all().stream()
                .filter(c -> c.id().equals(id))
                .map(c -> c.summary().replace('\u00a0', ' '))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMarkThatIsNoPointOfTheCurveHasNoFigure() {
        List<List<Cell>> rows = SampleCharts.hitByCapacity().data().rows();
        assertThat(rows.get(rows.size() - 2).get(2)).isInstanceOf(Cell.Number.class);
        assertThat(rows.get(rows.size() - 1).get(2)).isInstanceOf(Cell.Missing.class);
    }

    @Test
    void everyPointDrawnIsInTheTable() {
        BySessions chart = SampleCharts.bySessions(Metric.HIT_PCT, new double[][] {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}});
        assertThat(chart.data().rows()).hasSize(10);
        assertThat(chart.data().rows().get(9).get(2).text()).isEqualTo("10.0");
    }

    @Test
    void missesThatNobodyKnowsAreComputedTokens() {
        PromptTokens chart = new PromptTokens(
                "p",
                "Prompt tokens",
                List.of(new PromptTokens.Row("a", 100, 30, new TreeMap<>())),
                SampleCharts.SOURCE);
        assertThat(chart.data().columns())
                .extracting(c -> c.name())
                .containsExactly("Policy", "prompt", "cached", "computed");
        assertThat(chart.data().rows().get(0).get(3).text()).isEqualTo("70");
    }

    @Test
    void aChartNamesItsTrace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Source(" ", ""))
                .withMessageContaining("trace");
        assertThat(SampleCharts.all())
                .allMatch(c -> c.source().text().startsWith("Source: sample of published figures"));
    }

    @Test
    void moreCachedThanAskedIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PromptTokens.Row("a", 10, 11, new TreeMap<>()));
    }
}
