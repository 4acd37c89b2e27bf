package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReplicatesTest {
    private static final int N = 1001;

    private static final int MANY = 100_000;

    /** Two policies that differ by exactly 1 in every replicate, however much each varies. */
    private static Replicates paired(int units, int unitsOfOther) {
        double[][][] values = new double[2][1][N];
        for (int b = 0; b < N; b++) {
            values[0][0][b] = b / 10.0;
            values[1][0][b] = b / 10.0 + 1;
        }
        return new Replicates(new double[][] {{50}, {51}}, values, new int[][] {{units}, {unitsOfOther}});
    }

    @Test
    void anIntervalHasNineteenTwentiethsOfTheReplicates() {
        Interval interval = paired(MANY, MANY).interval(0, 0).orElseThrow();
        assertThat(interval.low()).isCloseTo(2.5, within(1e-3));
        assertThat(interval.high()).isCloseTo(97.5, within(1e-3));
    }

    @Test
    void fewUnitsMakeItWider() {
        Replicates replicates = paired(10, 3);
        double of10 = Math.sqrt(10.0 / 9) * 2.262 / 1.96;
        double of3 = Math.sqrt(3.0 / 2) * 4.303 / 1.96;
        assertThat(replicates.interval(0, 0).orElseThrow().low()).isCloseTo(50 - of10 * 47.5, within(1e-9));
        assertThat(replicates.interval(1, 0).orElseThrow().low()).isCloseTo(51 - of3 * 47.5, within(1e-9));
        assertThat(StudentT.stretch(10)).isCloseTo(Math.sqrt(10.0 / 9) * 2.262 / 1.96, within(1e-3));
        assertThat(StudentT.stretch(100_000)).isCloseTo(1, within(1e-4));
    }

    @Test
    void aSingleUnitSaysNothingOfHowAFigureVaries() {
        Replicates replicates = paired(10, 1);
        assertThat(replicates.interval(0, 0)).isPresent();
        assertThat(replicates.interval(1, 0)).isEmpty();
        assertThat(replicates.difference(1, 0, 0)).isEmpty();
        assertThat(replicates.difference(0, 1, 0)).isEmpty();
        assertThat(replicates.varies(0)).isFalse();
        assertThat(paired(10, 2).varies(0)).isTrue();
        assertThat(paired(10, 2).difference(1, 0, 0)).isPresent();
    }

    @Test
    void aPairedDifferenceIsSharperThanItsParts() {
        Interval difference = paired(MANY, MANY).difference(1, 0, 0).orElseThrow();
        assertThat(difference.low()).isCloseTo(1, within(1e-9));
        assertThat(difference.high()).isCloseTo(1, within(1e-9));
    }

    @Test
    void theProbabilityOfBeingBestAndTheRegretAreThoseOfTheReplicates() {
        double[][][] values = {{{1, 2, 3, 4}}, {{2, 1, 3, 1}}};
        Replicates replicates = new Replicates(new double[][] {{2.5}, {1.75}}, values, new int[][] {{9}, {9}});
        assertThat(replicates.best(0, false)).containsExactly(0.375, 0.625);
        assertThat(replicates.best(0, true)).containsExactly(0.625, 0.375);
        assertThat(replicates.regret(0, false)).containsExactly(1, 0.25);
    }

    @Test
    void whereAPolicyHasNoFigureNothingIsSaid() {
        double[][][] values = {{{1, Double.NaN}}, {{Double.NaN, Double.NaN}}};
        Replicates replicates = new Replicates(new double[][] {{1}, {Double.NaN}}, values, new int[][] {{9}, {0}});
        assertThat(replicates.interval(1, 0)).isEmpty();
        assertThat(replicates.difference(1, 0, 0)).isEmpty();
        assertThat(replicates.best(0, true)).containsExactly(0, 0);
    }
}
