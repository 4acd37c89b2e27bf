package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.simulator.timing.TableLaw.DecodePoint;
import dev.warmroute.simulator.timing.TableLaw.PrefillPoint;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TableLawTest {
    private static final List<DecodePoint> DECODE = List.of(new DecodePoint(1, 7), new DecodePoint(11, 12));

    /** T(n) = n^2 / 10^4 ms, so that all interpolation in between is linear and everything beyond is the parabola. */
    private static final TableLaw LAW = new TableLaw(
            List.of(new PrefillPoint(1000, 100), new PrefillPoint(2000, 400), new PrefillPoint(4000, 1600)),
            DECODE,
            1000,
            100_000);

    @Test
    void pointsAreReproduced() {
        assertThat(prefillMillis(1000, 0)).isEqualTo(100);
        assertThat(prefillMillis(4000, 0)).isEqualTo(1600);
        assertThat(LAW.stepNanos(0, 0, 1, 1000)).isEqualTo(7_000_000);
        assertThat(LAW.stepNanos(0, 0, 11, 11_000)).isEqualTo(12_000_000);
    }

    @Test
    void betweenPointsItIsLinear() {
        assertThat(prefillMillis(1500, 0)).isEqualTo(250);
        // 6.9 ms and 10.9 ms without the contexts' 0.1 us a token; half way 8.9 ms.
        assertThat(LAW.stepNanos(0, 0, 6, 6000)).isEqualTo(8_900_000 + 600_000);
        assertThat(LAW.stepNanos(0, 0, 21, 0)).isEqualTo(14_900_000);
    }

    @Test
    void aChunkCostsWhatItsTokensCostAtTheirPlace() {
        assertThat(prefillMillis(1000, 1000)).isEqualTo(300);
        assertThat(prefillMillis(500, 3000)).isEqualTo(300);
        // Two fresh prompts of 500 tokens are each half of one of 1000 in a law that is linear there.
        double pairs = 2 * StepTimeLaw.chunkAttention(500, 0);
        assertThat(LAW.stepNanos(1000, pairs, 0, 0)).isEqualTo(100_000_000);
    }

    @Test
    void beyondTheLastPointTheParabolaGoesOn() {
        assertThat(prefillMillis(8000, 0)).isCloseTo(6400, within(1e-6));
        assertThat(prefillMillis(1000, 9000)).isCloseTo(1900, within(1e-6));
    }

    @Test
    void aSmallChunkStillReadsTheWeights() {
        assertThat(LAW.stepNanos(16, StepTimeLaw.chunkAttention(16, 0), 0, 0)).isEqualTo(6_900_000);
        // What ten more sequences add does not depend on the prefill beside them.
        long prefillOnly = LAW.stepNanos(1000, StepTimeLaw.chunkAttention(1000, 0), 0, 0);
        long mixed = LAW.stepNanos(1000, StepTimeLaw.chunkAttention(1000, 0), 11, 11_000);
        assertThat(mixed - prefillOnly).isEqualTo(12_000_000 - 6_900_000);
    }

    @Property(tries = 300)
    void aRunTakesWhatItsStepsTake(
            @ForAll @IntRange(min = 1, max = 300) int sequences,
            @ForAll @LongRange(max = 1_000_000) long kv,
            @ForAll @IntRange(max = 300) int steps) {
        StepTimeLawTest.assertRunIsSumOfSteps(LAW, sequences, kv, steps);
    }

    @Property(tries = 300)
    void chunksOfOnePromptAddUp(
            @ForAll @IntRange(min = 1, max = 6000) int first, @ForAll @IntRange(min = 1, max = 6000) int second) {
        // Against a decode floor of nothing, so that only the prefill counts.
        TableLaw law = new TableLaw(
                List.of(new PrefillPoint(1000, 100), new PrefillPoint(2000, 400), new PrefillPoint(4000, 1600)),
                List.of(new DecodePoint(1, 0), new DecodePoint(2, 1)),
                0,
                0);
        long parts = law.stepNanos(first, StepTimeLaw.chunkAttention(first, 0), 0, 0)
                + law.stepNanos(second, StepTimeLaw.chunkAttention(second, first), 0, 0);
        long whole = law.stepNanos(first + second, StepTimeLaw.chunkAttention(first + second, 0), 0, 0);

        assertThat(parts).isCloseTo(whole, within(2L));
    }

    @Test
    void pointsThatCannotBeMeasurementsAreRefused() {
        PrefillPoint low = new PrefillPoint(10, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> new TableLaw(List.of(low), DECODE, 0, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableLaw(List.of(low, new PrefillPoint(20, 0.5)), DECODE, 0, 0))
                .withMessageContaining("prefill: point 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableLaw(List.of(low, new PrefillPoint(10, 2)), DECODE, 0, 0));
        // The context alone would take longer than the step was measured to.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableLaw(List.of(low, new PrefillPoint(20, 2)), DECODE, 1000, 8_000_000))
                .withMessageContaining("decode");
    }

    private static double prefillMillis(long tokens, long context) {
        return LAW.stepNanos(tokens, StepTimeLaw.chunkAttention(tokens, context), 0, 0) / 1e6;
    }
}
