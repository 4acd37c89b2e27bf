package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuantilesTest {
    @Test
    void interpolatesBetweenOrderStatistics() {
        Quantiles q = Quantiles.of(4, 1, 3, 2);
        assertThat(q.at(0)).hasValue(1);
        assertThat(q.at(0.5)).hasValue(2.5);
        assertThat(q.at(1)).hasValue(4);
        assertThat(q.at(0.25)).hasValue(1.75);
        assertThat(q.mean()).hasValue(2.5);
    }

    @Test
    void anEmptySampleHasNone() {
        assertThat(Quantiles.of().at(0.5)).isEmpty();
        assertThat(Quantiles.of().mean()).isEmpty();
    }

    @Test
    void takesOnlyTheValuesItIsToldToAndLeavesThemInPlace() {
        double[] values = {5, 1, 99};
        assertThat(Quantiles.of(values, 2).at(1)).hasValue(5);
        assertThat(values).containsExactly(5, 1, 99);
    }
}
