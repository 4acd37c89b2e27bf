package dev.warmroute.export.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PERCENT|51.34|51.3",
                "PERCENT|-0.01|0.0",
                "PERCENT|100|100.0",
                "POINTS|-3.25|−3.3",
                "POINTS|2|+2.0",
                "POINTS|0.04|0.0",
                "SECONDS|0|0",
                "SECONDS|0.0042|0.004",
                "SECONDS|0.36|0.36",
                "SECONDS|9.996|10.0",
                "SECONDS|13.14|13.1",
                "SECONDS|99.96|100",
                "SECONDS|1234.4|1,234",
                "TOKENS|33520|33,520",
                "TOKENS|9999999|9,999,999",
                "TOKENS|33100000|33.10\u00a0M",
                "TOKENS|144793823|144.8\u00a0M",
                "TOKENS_LEFT|-29120|−29,120",
                "TOKENS_LEFT|512|+512",
                "TOKENS_PER_MINUTE|13309.6|13,310",
                "COUNT|4|4",
                "COUNT|2.714|2.71",
                "COUNT_LEFT|-3|−3",
                "RATIO|1.2169|1.22"
            })
    void writesTheSameNumberTheSameWay(Unit unit, double value, String text) {
        assertThat(unit.digits(value)).isEqualTo(text);
    }

    @Test
    void theUnitFollowsANoBreakSpace() {
        assertThat(Unit.SECONDS.text(4.4)).isEqualTo("4.40\u00a0s");
        assertThat(Unit.COUNT.text(12)).isEqualTo("12");
    }

    @Property
    void whatIsWrittenIsNear(@ForAll @DoubleRange(min = 0.1, max = 1e6) double value) {
        for (Unit unit : new Unit[] {Unit.SECONDS, Unit.RATIO, Unit.PERCENT}) {
            double read = Double.parseDouble(unit.digits(value).replace(",", ""));
            assertThat(Math.abs(read - value)).isLessThanOrEqualTo(Math.max(0.0501, value * 0.00501));
        }
    }

    @Test
    void whatIsNotANumberIsRefused() {
        for (Unit unit : Unit.values()) {
            assertThatIllegalArgumentException().isThrownBy(() -> unit.digits(Double.NaN));
        }
    }
}
