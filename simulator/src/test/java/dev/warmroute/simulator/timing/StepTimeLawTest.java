package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class StepTimeLawTest {

    /** Not affine in the context, with the interface's own stepping. */
    private static final StepTimeLaw CURVED = new StepTimeLaw() {
        @Override
        public long stepNanos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens) {
            return 1000 + decodeSequences + (long) Math.sqrt(kvTokens);
        }

        @Override
        public boolean affineInContext() {
            return false;
        }
    };

    @Test
    void anAffineStepIsTheSumOfItsParts() {
        AffineLaw law = AffineLaw.ofSeconds(18e-3, 0.244e-3, 4e-9, 1.5e-7, 1.65e-3);

        assertThat(law.stepNanos(0, 0, 0, 0)).isEqualTo(18_000_000);
        assertThat(law.stepNanos(100, 0, 0, 0)).isEqualTo(18_000_000 + 24_400_000);
        assertThat(law.stepNanos(0, 1000.5, 0, 0)).isEqualTo(18_000_000 + 4_002);
        assertThat(law.stepNanos(0, 0, 2, 10_000)).isEqualTo(18_000_000 + 1_500_000 + 3_300_000);
    }

    @Test
    void aChunkAttendsToItsContextAndToHalfOfItself() {
        assertThat(StepTimeLaw.chunkAttention(0, 500)).isZero();
        assertThat(StepTimeLaw.chunkAttention(1, 0)).isEqualTo(0.5);
        assertThat(StepTimeLaw.chunkAttention(2048, 10_000)).isEqualTo(2048.0 * 11_024);
        // Cutting a prompt into chunks changes nothing.
        assertThat(StepTimeLaw.chunkAttention(700, 300) + StepTimeLaw.chunkAttention(24, 1000))
                .isEqualTo(StepTimeLaw.chunkAttention(724, 300));
    }

    @Property
    void aRunTakesWhatItsStepsTake(
            @ForAll @LongRange(max = 20_000_000_000L) long base,
            @ForAll @LongRange(max = 1_000_000) long context,
            @ForAll @LongRange(max = 2_000_000_000) long sequence,
            @ForAll @IntRange(min = 1, max = 1024) int sequences,
            @ForAll @LongRange(max = 3_000_000) long kv,
            @ForAll @IntRange(max = 400) int steps) {
        assertRunIsSumOfSteps(new AffineLaw(base, 1, 1, context, sequence), sequences, kv, steps);
    }

    @Property(tries = 200)
    void aRunOfALawWithoutClosedFormIsStepped(
            @ForAll @IntRange(min = 1, max = 64) int sequences,
            @ForAll @LongRange(max = 100_000) long kv,
            @ForAll @IntRange(max = 200) int steps) {
        assertRunIsSumOfSteps(CURVED, sequences, kv, steps);
    }

    @Property
    void aRunCutInTwoTakesAsLong(
            @ForAll @LongRange(max = 10_000_000_000L) long base,
            @ForAll @LongRange(max = 500_000) long context,
            @ForAll @IntRange(min = 1, max = 256) int sequences,
            @ForAll @LongRange(max = 1_000_000) long kv,
            @ForAll @IntRange(max = 5000) int first,
            @ForAll @IntRange(max = 5000) int second) {
        AffineLaw law = new AffineLaw(base, 0, 0, context, 0);

        assertThat(law.decodeRunNanos(sequences, kv, first)
                        + law.decodeRunNanos(sequences, kv + (long) first * sequences, second))
                .isEqualTo(law.decodeRunNanos(sequences, kv, first + second));
    }

    @Test
    void instantStepsNeverFillAnyTime() {
        assertThat(AffineLaw.INSTANT.stepNanos(1 << 20, 1e12, 1024, 1 << 30)).isZero();
        assertThat(AffineLaw.INSTANT.decodeRunNanos(8, 1000, 1_000_000)).isZero();
        assertThat(AffineLaw.INSTANT.decodeStepsWithin(8, 1000, 0, 123)).isEqualTo(123);
        assertThat(AffineLaw.INSTANT.decodeStepsWithin(8, 1000, -1, 123)).isZero();
    }

    @Test
    void negativeOrUnboundedCoefficientsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AffineLaw(-1, 0, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AffineLaw(0, 0, Double.NaN, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new AffineLaw(0, 0, Double.POSITIVE_INFINITY, 0, 0));
    }

    /** The contract of the interface, for any law. */
    static void assertRunIsSumOfSteps(StepTimeLaw law, int sequences, long kv, int steps) {
        long sum = 0;
        for (int i = 0; i < steps; i++) {
            sum += law.stepNanos(0, 0, sequences, kv + (long) i * sequences);
        }
        assertThat(law.decodeRunNanos(sequences, kv, steps)).isEqualTo(sum);
        long beyond = law.stepNanos(0, 0, sequences, kv + (long) steps * sequences);
        if (beyond > 0) {
            assertThat(law.decodeStepsWithin(sequences, kv, sum + beyond - 1, Integer.MAX_VALUE))
                    .isEqualTo(steps);
        }
        assertThat(law.decodeStepsWithin(sequences, kv, sum, steps)).isEqualTo(steps);
        if (sum > 0) {
            assertThat(law.decodeStepsWithin(sequences, kv, sum - 1, steps)).isLessThan(steps);
        }
    }
}
