package dev.warmroute.export.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Property
    void linearTicksAreRoundEvenAndInside(
            @ForAll @DoubleRange(min = -1e6, max = 1e6) double low,
            @ForAll @DoubleRange(min = 0.01, max = 1e6) double length,
            @ForAll @IntRange(min = 2, max = 12) int about) {
        List<Double> ticks = Scale.linear(Scale::trimmed).rounds(low, low + length, about);
        double slack = length * 1e-6;
        assertThat(ticks)
                .allMatch(t -> t >= low - slack && t <= low + length + slack)
                .isSorted()
                .doesNotContain(-0.0);
        assertThat(ticks.size()).isLessThanOrEqualTo(about + 1);
    }

    @Test
    void logTicksThinOutWithTheRange() {
        Scale log = Scale.log(Scale::compact);
        assertThat(log.rounds(4, 60, 6)).containsExactly(5.0, 10.0, 20.0, 50.0);
        assertThat(log.rounds(0.5, 2000, 8)).containsExactly(1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0);
        assertThat(log.rounds(1, 1e9, 5)).hasSize(10);
    }

    @Test
    void percentilesDrawOutTheTail() {
        Scale tail = Scale.percentiles();
        assertThat(tail.position(0)).isZero();
        assertThat(tail.position(99)).isEqualTo(2, org.assertj.core.api.Assertions.within(1e-9));
        assertThat(tail.position(100)).isFinite();
        assertThat(tail.rounds(0, 99.9, 4)).containsExactly(0.0, 50.0, 90.0, 99.0, 99.9);
    }

    @Test
    void labelsAreShort() {
        assertThat(Scale.compact(512_000)).isEqualTo("512k");
        assertThat(Scale.compact(1_050_000)).isEqualTo("1.05M");
        assertThat(Scale.compact(0)).isEqualTo("0");
        assertThat(Scale.trimmed(0.3)).isEqualTo("0.3");
        assertThat(Scale.trimmed(12.5)).isEqualTo("12.5");
        assertThat(Scale.trimmed(100)).isEqualTo("100");
    }
}
