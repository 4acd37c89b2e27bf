package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {
    @Test
    void coefficientsOfManyNoisyRowsAreFoundWithinTheirErrors() {
        SplittableRandom random = new SplittableRandom(1);
        LeastSquares squares = new LeastSquares(3);
        for (int i = 0; i < 2000; i++) {
            double[] x = {1, random.nextDouble() * 1000, random.nextDouble()};
            double y = 5 + 0.02 * x[1] + 3 * x[2] + random.nextGaussian();
            squares.add(x, y, 1);
        }
        LeastSquares.Solution found = squares.solve();
        double[] truth = {5, 0.02, 3};
        for (int c = 0; c < 3; c++) {
            assertThat(found.coefficients()[c]).isEqualTo(truth[c], within(4 * found.errors()[c]));
            assertThat(found.identified(c)).isTrue();
        }
        assertThat(found.squares()).isEqualTo(2000, within(200.0));
    }

    @Test
    void whatWouldBeNegativeIsHeldAtZeroAndTheRestFitsWithoutIt() {
        LeastSquares squares = new LeastSquares(2);
        for (int i = 1; i <= 10; i++) {
            squares.add(new double[] {i, 1}, 2.0 * i - 1, 1); // unbounded: 2 and -1
        }
        LeastSquares.Solution found = squares.solve();
        double onlySlope = 0;
        double of = 0;
        for (int i = 1; i <= 10; i++) {
            onlySlope += i * (2.0 * i - 1);
            of += i * i;
        }
        assertThat(found.coefficients()[1]).isZero();
        assertThat(found.coefficients()[0]).isEqualTo(onlySlope / of, within(1e-9));
        assertThat(found.identified(1)).isFalse();
    }

    @Test
    void columnsThatCannotBeToldApartDoNotBothCount() {
        LeastSquares squares = new LeastSquares(3);
        for (int i = 1; i <= 10; i++) {
            squares.add(new double[] {i, 2 * i, 1}, 4 * i + 7, 1);
        }
        LeastSquares.Solution found = squares.solve();
        assertThat(found.coefficients()[0] + 2 * found.coefficients()[1]).isEqualTo(4, within(1e-6));
        assertThat(found.coefficients()[0] == 0 || found.coefficients()[1] == 0).isTrue();
        assertThat(found.coefficients()[2]).isEqualTo(7, within(1e-5));
    }

    @Test
    void weightsCount() {
        LeastSquares squares = new LeastSquares(1);
        squares.add(new double[] {1}, 1, 3);
        squares.add(new double[] {1}, 2, 1);
        assertThat(squares.solve().coefficients()[0]).isEqualTo(1.25, within(1e-12));
    }
}
