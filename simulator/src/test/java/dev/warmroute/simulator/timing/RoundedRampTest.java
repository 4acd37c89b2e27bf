package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RoundedRampTest {

    @Property
    void theClosedFormIsTheSumOfRoundedTerms(
            @ForAll @LongRange(max = 50_000_000_000L) long first,
            @ForAll @LongRange(max = 200_000_000) long growth,
            @ForAll @IntRange(max = 3000) int terms) {
        assertThat(RoundedRamp.sumNanos(first, growth, terms)).isEqualTo(oneByOne(first, growth, terms));
    }

    @Property
    void theClosedFormHoldsWhereRoundingIsEverything(
            @ForAll @LongRange(max = 3000) long first,
            @ForAll @LongRange(max = 3000) long growth,
            @ForAll @IntRange(max = 3000) int terms) {
        assertThat(RoundedRamp.sumNanos(first, growth, terms)).isEqualTo(oneByOne(first, growth, terms));
    }

    @Property
    void theInverseIsTheLastRunThatFits(
            @ForAll @LongRange(max = 20_000_000_000L) long first,
            @ForAll @LongRange(max = 100_000_000) long growth,
            @ForAll @LongRange(max = 4_000_000_000_000L) long nanos,
            @ForAll @LongRange(max = 100_000) long max) {
        assertLastThatFits(first, growth, nanos, max);
    }

    @Property
    void theInverseHoldsWhereTermsRoundToNothing(
            @ForAll @LongRange(max = 3) long first,
            @ForAll @LongRange(max = 3) long growth,
            @ForAll @LongRange(max = 100) long nanos,
            @ForAll @LongRange(max = 5_000) long max) {
        assertLastThatFits(first, growth, nanos, max);
    }

    @Test
    void halfANanosecondRoundsUp() {
        assertThat(RoundedRamp.toNanos(499)).isZero();
        assertThat(RoundedRamp.toNanos(500)).isEqualTo(1);
        assertThat(RoundedRamp.toNanos(1499)).isEqualTo(1);
        assertThat(RoundedRamp.sumNanos(500, 0, 7)).isEqualTo(7);
    }

    @Test
    void nothingFitsInLessThanNoTime() {
        assertThat(RoundedRamp.stepsWithin(0, 0, -1, 10)).isZero();
        assertThat(RoundedRamp.stepsWithin(0, 0, 0, 10)).isEqualTo(10);
        assertThat(RoundedRamp.stepsWithin(7_000_000, 5, Long.MAX_VALUE, Long.MAX_VALUE))
                .isPositive();
    }

    private static void assertLastThatFits(long first, long growth, long nanos, long max) {
        long steps = RoundedRamp.stepsWithin(first, growth, nanos, max);
        assertThat(steps).isBetween(0L, max);
        assertThat(RoundedRamp.sumNanos(first, growth, steps)).isLessThanOrEqualTo(nanos);
        if (steps < max) {
            assertThat(RoundedRamp.sumNanos(first, growth, steps + 1)).isGreaterThan(nanos);
        }
    }

    private static long oneByOne(long first, long growth, int terms) {
        long sum = 0;
        for (int i = 0; i < terms; i++) {
            sum += Math.floorDiv(first + i * growth + 500, 1000);
        }
        return sum;
    }
}
