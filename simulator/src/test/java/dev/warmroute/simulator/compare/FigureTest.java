package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What values a figure can have. */
class FigureTest {
    @Test
    void anIntervalIsCutToWhatItsFigureCanBe() {
        assertThat(Figure.HIT_PCT.possible(new Interval(-3, 104))).isEqualTo(new Interval(0, 100));
        assertThat(Figure.STAYED_PCT.possible(new Interval(90, 101))).isEqualTo(new Interval(90, 100));
        assertThat(Figure.SESSION_FAIRNESS.possible(new Interval(0.5, 1.2))).isEqualTo(new Interval(0.5, 1));
        assertThat(Figure.TTFT_P95_S.possible(new Interval(-2, 300))).isEqualTo(new Interval(0, 300));
        assertThat(Figure.PREEMPTIONS.possible(new Interval(3, 9))).isEqualTo(new Interval(3, 9));
    }
}
