package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReplicatesTest {
    private static final int N = 1001;

    /** Two policies that differ by exactly 1 in every replicate, however much each varies. */
    private static Replicates paired(double stretch) {
        double[][][] values = new double[2][1][N];
        for (int b = 0; b < N; b++) {
            values[0][0][b] = b / 10.0;
            values[1][0][b] = b / 10.0 + 1;
        }
        return new Replicates(new double[][] {{50}, {51}}, values, stretch);
    }

    @Test
    void anIntervalHasNineteenTwentiethsOfTheReplicates() {
        Interval interval = paired(1).interval(0, 0).orElseThrow();
        assertThat(interval.low()).isCloseTo(2.5, within(1e-9));
        assertThat(interval.high()).isCloseTo(97.5, within(1e-9));
    }

    @Test
    void fewUnitsMakeItWider() {
        Interval interval = paired(2).interval(0, 0).orElseThrow();
        assertThat(interval.low()).isCloseTo(50 - 2 * 47.5, within(1e-9));
        assertThat(StudentT.stretch(10)).isCloseTo(Math.sqrt(10.0 / 9) * 2.262 / 1.96, within(1e-3));
        assertThat(StudentT.stretch(100_000)).isCloseTo(1, within(1e-4));
    }

    @Test
    void aPairedDifferenceIsSharperThanItsParts() {
        Interval difference = paired(1).difference(1, 0, 0).orElseThrow();
        assertThat(difference.low()).isCloseTo(1, within(1e-9));
        assertThat(difference.high()).isCloseTo(1, within(1e-9));
    }

    @Test
    void theProbabilityOfBeingBestAndTheRegretAreThoseOfTheReplicates() {
        double[][][] values = {{{1, 2, 3, 4}}, {{2, 1, 3, 1}}};
        Replicates replicates = new Replicates(new double[][] {{2.5}, {1.75}}, values, 1);
        assertThat(replicates.best(0, false)).containsExactly(0.375, 0.625);
        assertThat(replicates.best(0, true)).containsExactly(0.625, 0.375);
        assertThat(replicates.regret(0, false)).containsExactly(1, 0.25);
    }

    @Test
    void whereAPolicyHasNoFigureNothingIsSaid() {
        double[][][] values = {{{1, Double.NaN}}, {{Double.NaN, Double.NaN}}};
        Replicates replicates = new Replicates(new double[][] {{1}, {Double.NaN}}, values, 1);
        assertThat(replicates.interval(1, 0)).isEmpty();
        assertThat(replicates.difference(1, 0, 0)).isEmpty();
        assertThat(replicates.best(0, true)).containsExactly(0, 0);
    }
}
