package dev.warmroute.simulator.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.gate.Assertion.Bounded;
import dev.warmroute.simulator.gate.Assertion.Fits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssertionParserTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            hit>=70%,                            hit_pct,               AT_LEAST, 0,   70
            hit_pct >= 70,                       hit_pct,               AT_LEAST, 0,   70
            ' stayed < 99.5 % ',                 stayed_pct,            BELOW,    0,   99.5
            ttft_p95<=10s,                       ttft_p95_s,            AT_MOST,  0,   10
            ttft_p50<=250ms,                     ttft_p50_s,            AT_MOST,  0,   0.25
            session_p95_s<=2min,                 session_p95_s,         AT_MOST,  0,   120
            output>12000tok/min,                 output_tokens_per_min, ABOVE,    0,   12000
            preemptions<=0,                      preemptions,           AT_MOST,  0,   0
            session_fairness>=.8,                session_fairness,      AT_LEAST, 0,   0.8
            misses.evicted_waiting<=5000tok,     misses.evicted_waiting, AT_MOST, 0,   5000
            kinds.overflow<=10,                  kinds.overflow,        AT_MOST,  0,   10
            overflows.p95_tokens<=9000,          overflows.p95_tokens,  AT_MOST,  0,   9000
            hit>=baseline,                       hit_pct,               AT_LEAST, 1,   0
            hit>=baseline-1pp,                   hit_pct,               AT_LEAST, 1,   -1
            ttft_p95 <= 1.1 * baseline,          ttft_p95_s,            AT_MOST,  1.1, 0
            ttft_p95<=1.1*baseline+500ms,        ttft_p95_s,            AT_MOST,  1.1, 0.5
            """)
    void isAMetricAComparisonAndABound(String text, String metric, Comparison comparison, double times, double offset) {
        Bounded read = (Bounded) Assertion.parse(text);
        assertThat(read.text()).isEqualTo(text.strip());
        assertThat(read.metric().name()).isEqualTo(metric);
        assertThat(read.comparison()).isEqualTo(comparison);
        assertThat(read.bound().times()).isEqualTo(times);
        assertThat(read.bound().offset()).isCloseTo(offset, within(1e-12));
        assertThat(read.relative()).isEqualTo(times > 0);
    }

    @Test
    void orItFits() {
        assertThat(Assertion.parse(" fits ")).isEqualTo(new Fits("fits"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                    | 1  | begins with a metric
            hti>=70%              | 1  | there is no metric 'hti'; did you mean 'hit'?
            TTFT_p95<=1s          | 1  | did you mean 'ttft_p95'?
            misses.evicted_idel<=1 | 1 | did you mean 'misses.evicted_idle'?
            ftis                  | 1  | did you mean 'fits'?
            throughput>=1         | 1  | there are requests, prompt_tokens,
            hit                   | 4  | expected >=, <=, > or <
            hit==70%              | 4  | '==' is not one of >=, <=, > or <
            hit=>70%              | 4  | '=>' is not one of
            hit>=                 | 6  | expected a number, as in 70, or 'baseline'
            hit>=seventy          | 6  | expected a number
            hit>=-5%              | 6  | expected a number
            hit>=7.0.0%           | 6  | '7.0.0' is not a number
            hit>=0.7              | 9  | a number for 'hit' needs its unit: %
            ttft_p95<=10          | 13 | needs its unit: min or ms or s
            hit>=70s              | 8  | 's' is not a unit of 'hit': write %
            hit>=70pp             | 8  | 'pp' is not a unit of 'hit': write %
            hit>=baseline-1%      | 16 | '%' is not a unit of a difference of 'hit': write pp
            hit>=baseline-1       | 16 | needs its unit: pp
            ttft_p95<=10%         | 13 | '%' is not a unit of 'ttft_p95': write min or ms or s
            preemptions<=3s       | 15 | 's' is not a unit of 'preemptions': write no unit
            hit>=70% please       | 10 | nothing may follow here, but there is 'please'
            fits>=1               | 5  | nothing may follow here
            hit>=1.1*basline      | 10 | expected 'baseline' after '*'
            hit>=0*baseline       | 6  | more than 0 times
            hit>=baseline*1.1     | 14 | nothing may follow here
            """)
    void whatIsWrongIsSaidWithItsColumnAndWhatWasExpected(String text, int column, String said) {
        assertThatThrownBy(() -> Assertion.parse(text))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("column " + column + ": ")
                .hasMessageContaining(said);
    }

    /** A field that is added to the row of whatif is to be asserted, too, or named here. */
    @Test
    void everyFigureOfARowOfWhatIfIsAMetric() {
        Set<String> fields = new HashSet<>();
        EventCodec.mapper().valueToTree(row()).fieldNames().forEachRemaining(fields::add);
        fields.removeAll(List.of("policy", "interval", "misses", "kinds", "overflows", "by_replica", "by_turn"));
        List<String> names =
                new ArrayList<>(Metrics.values().stream().map(Metric::name).toList());
        assertThat(names)
                .doesNotHaveDuplicates()
                .containsAll(fields)
                .contains("overflows.count", "misses.moved", "kinds.held");
        names.removeIf(n -> n.contains(".") || n.startsWith("external_"));
        assertThat(fields).containsAll(names);
    }

    @Test
    void eachNameMeansOneMetric() {
        assertThat(Metrics.names()).doesNotHaveDuplicates();
        for (Metric m : Metrics.values()) {
            assertThat(Metrics.named(m.name())).contains(m);
            assertThat(Metrics.named(m.shortName())).contains(m);
        }
    }

    private static PolicyRow row() {
        return new PolicyRow(
                "p",
                1,
                2,
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }
}
