package dev.warmroute.export.run;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ChanceTest {
    /** By Pascal's triangle: what of the probability lies below and through a number. */
    private static double through(int k, int things, double p) {
        double sum = 0;
        for (int i = 0; i <= k; i++) {
            double ways = 1;
            for (int j = 1; j <= i; j++) {
                ways = ways * (things - i + j) / j;
            }
            sum += ways * Math.pow(p, i) * Math.pow(1 - p, things - i);
        }
        return sum;
    }

    @Property(tries = 200)
    void theMiddleLeavesATailOnEitherSide(
            @ForAll @IntRange(max = 60) int things, @ForAll @IntRange(min = 2, max = 12) int places) {
        int[] middle = Chance.middle(things, places);
        double p = 1.0 / places;
        assertThat(middle[0]).isBetween(0, middle[1]);
        assertThat(middle[1]).isLessThanOrEqualTo(things);
        assertThat(through(middle[0] - 1, things, p)).isLessThanOrEqualTo(0.025 + 1e-9);
        assertThat(through(middle[1], things, p)).isGreaterThanOrEqualTo(0.975 - 1e-9);
        if (middle[1] > middle[0]) {
            assertThat(through(middle[1] - 1, things, p)).isLessThan(0.975 + 1e-9);
        }
    }

    @Property(tries = 20)
    void onePlaceGetsAll(@ForAll @IntRange(max = 1000) int things) {
        assertThat(Chance.middle(things, 1)).containsExactly(things, things);
    }
}
