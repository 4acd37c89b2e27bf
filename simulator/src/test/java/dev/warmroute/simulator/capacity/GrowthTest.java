package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrowthTest {
    @Test
    void aGivenGrowthIsAShareOfTodaysDemand() {
        Growth growth = Growth.given(2, 50_000);
        assertThat(growth.tokensPerDay()).hasValue(1_000);
        assertThat(growth.daysFor(30_000).orElseThrow()).isCloseTo(30, within(1e-9));
        assertThat(growth.daysFor(-5).orElseThrow()).isZero();
        assertThat(growth.explanation()).isEqualTo("2 % of today's demand a day, given");
    }

    @Test
    void aWorkingSetThatRisesEveryDayGrowsByItsSlope() {
        Growth growth = Growth.of(hourly(10, day -> 100_000 + 5_000 * day));
        assertThat(growth.tokensPerDay().orElseThrow()).isCloseTo(5_000, within(1e-6));
        assertThat(growth.explanation()).contains("10 days", "5000 tokens a day");
    }

    @Test
    void upsAndDownsAreNoGrowth() {
        Growth growth = Growth.of(hourly(8, day -> day % 2 == 0 ? 100_000 : 140_000));
        assertThat(growth.tokensPerDay()).isEmpty();
        assertThat(growth.daysFor(1_000)).isEmpty();
        assertThat(growth.explanation()).contains("no growth to go by");
    }

    @Test
    void threePeaksThatRiseUnevenlyAreNoGrowth() {
        // slope 10,000, standard error 2,887: beyond three errors, yet one degree of freedom asks for 12.7
        int[] peaks = {100_000, 115_000, 120_000};
        Growth growth = Growth.of(hourly(3, day -> peaks[day]));
        assertThat(growth.tokensPerDay()).isEmpty();
        assertThat(growth.explanation()).contains("no growth to go by");
    }

    @Test
    void threePeaksThatRiseAlmostEvenlyAre() {
        int[] peaks = {100_000, 110_500, 120_000};
        assertThat(Growth.of(hourly(3, day -> peaks[day])).tokensPerDay().orElseThrow())
                .isCloseTo(10_000, within(1e-6));
    }

    @Test
    void lessThanThreeWholeDaysSayNothing() {
        Growth growth = Growth.of(hourly(2, day -> 100_000 + 50_000 * day));
        assertThat(growth.tokensPerDay()).isEmpty();
        assertThat(growth.explanation()).contains("the trace spans 2.0 days");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1_001, Double.NaN})
    void aGrowthThatIsNoneIsRefused(double pct) {
        assertThatThrownBy(() -> Growth.given(pct, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("above 0");
    }

    private static WorkingSet hourly(int days, IntUnaryOperator tokens) {
        List<WorkingSet.Point> points = IntStream.range(0, 24 * days)
                .mapToObj(h -> new WorkingSet.Point(3_600 * h, 0, tokens.applyAsInt(h / 24) / (1 + h % 3)))
                .toList();
        return new WorkingSet(60, OptionalDouble.empty(), 16, 3_600, 0, 0, 0, points, List.of());
    }
}
