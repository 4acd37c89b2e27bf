package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.KvDtype;
import dev.warmroute.simulator.kv.KvSettings;
import dev.warmroute.simulator.kv.Models;
import dev.warmroute.simulator.kv.WeightDtype;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RooflineLawTest {
    private static final KvSettings SETTINGS = KvSettings.defaults(Gpus.named("H100"));

    /** Llama-3.1-8B on an H100 by hand: 15.01 GB at 2.412 TB/s, 13.96 GFLOP a token at 643 TFLOP/s. */
    @Test
    void theNumbersAreThoseOfTheFormulas() {
        RooflineLaw law = law("Llama-3.1-8B", "H100", SETTINGS);

        assertThat(law.fixedPicos()).isEqualTo(1_140_000_000L); // 500 us + 32 x 20 us
        assertThat(law.denseReadPicos() / 1e9).isCloseTo(6.223, within(0.01));
        assertThat(law.tokenPicos() / 1e6).isCloseTo(21.7, within(0.1));
        assertThat(law.attentionPairPicos()).isCloseTo(815.2, within(1.0)); // 4 x 32 x 32 x 128 FLOP
        assertThat(law.contextTokenPicos()).isEqualTo(54_342); // 131,072 bytes
        assertThat(law.sequencePicos()).isEqualTo(6_000_000);
        assertThat(law.expertReadPicos()).isZero();
    }

    @Test
    void smallBatchesWaitForTheWeightsAndLargeOnesForTheArithmetic() {
        RooflineLaw law = law("Llama-3.1-8B", "H100", SETTINGS);

        assertThat(law.stepNanos(1, 0, 0, 0)).isEqualTo(law.stepNanos(200, 0, 0, 0));
        assertThat(law.stepNanos(4096, 0, 0, 0) - law.stepNanos(2048, 0, 0, 0))
                .isCloseTo(2048 * law.tokenPicos() / 1000, within(1L));
        // Decoding sequences and prefill tokens fill the same batch.
        assertThat(law.stepNanos(2048, 0, 0, 0)).isEqualTo(law.stepNanos(2047, 0, 1, 0) - law.sequencePicos() / 1000);
    }

    @Test
    void cardsShareTheWork() {
        RooflineLaw one = law("Llama-3.1-8B", "H100", SETTINGS);
        RooflineLaw two = law("Llama-3.1-8B", "H100", SETTINGS.withTensorParallel(2));

        assertThat(two.denseReadPicos()).isCloseTo(one.denseReadPicos() / 2, within(1L));
        assertThat(two.tokenPicos()).isCloseTo(one.tokenPicos() / 2, within(1L));
        assertThat(two.contextTokenPicos()).isCloseTo(one.contextTokenPicos() / 2, within(1L));
    }

    @Test
    void smallerTypesAreReadFaster() {
        RooflineLaw bf16 = law("Qwen3-4B", "L4", SETTINGS);
        RooflineLaw fp8 =
                law("Qwen3-4B", "L4", SETTINGS.withWeightDtype(WeightDtype.FP8).withKvDtype(KvDtype.FP8));

        assertThat((double) fp8.denseReadPicos() / bf16.denseReadPicos()).isBetween(0.5, 0.6);
        assertThat(fp8.contextTokenPicos()).isCloseTo(bf16.contextTokenPicos() / 2, within(1L));
    }

    @Test
    void aMixtureReadsTheExpertsThatItsTokensChoose() {
        RooflineLaw law = law("Qwen3-30B-A3B", "H100", SETTINGS); // 8 of 128 experts

        long one = law.stepPicos(0, 0, 1, 0);
        long many = law.stepPicos(0, 0, 200, 0);
        assertThat(law.expertShare()).isEqualTo(8.0 / 128);
        assertThat(one)
                .isCloseTo(
                        law.fixedPicos()
                                + law.denseReadPicos()
                                + Math.round(law.expertReadPicos() * 8 / 128.0)
                                + law.sequencePicos(),
                        within(2L));
        assertThat(many)
                .isCloseTo(
                        law.fixedPicos() + law.denseReadPicos() + law.expertReadPicos() + 200 * law.sequencePicos(),
                        within(law.expertReadPicos() / 100));
    }

    @Test
    void statesAndWindowsCostEverySequenceTheSame() {
        RooflineLaw uniform = law("Qwen3-4B", "H100", SETTINGS);
        RooflineLaw states = law("Qwen3.5-4B", "H100", SETTINGS);

        // 24 layers of 2.1 MB, in and out, at 2.4 TB/s: 43 us.
        assertThat((states.sequencePicos() - uniform.sequencePicos()) / 1e6).isCloseTo(42.7, within(0.2));
        assertThat(states.contextTokenPicos()).isLessThan(uniform.contextTokenPicos() / 4);
    }

    @Property(tries = 300)
    void aRunTakesWhatItsStepsTake(
            @ForAll @IntRange(min = 1, max = 512) int sequences,
            @ForAll @LongRange(max = 2_000_000) long kv,
            @ForAll @IntRange(max = 300) int steps) {
        StepTimeLawTest.assertRunIsSumOfSteps(law("Llama-3.1-8B", "H100", SETTINGS), sequences, kv, steps);
        StepTimeLawTest.assertRunIsSumOfSteps(law("gpt-oss-120b", "H100", SETTINGS), sequences, kv, steps);
    }

    @Property(tries = 300)
    void moreOfAnythingNeverTakesLess(
            @ForAll @LongRange(max = 20_000) long prefill,
            @ForAll @IntRange(max = 1024) int sequences,
            @ForAll @LongRange(max = 2_000_000) long kv) {
        RooflineLaw law = law("Qwen3-30B-A3B", "H100", SETTINGS);
        double attention = StepTimeLaw.chunkAttention(prefill, 5000);
        long step = law.stepNanos(prefill, attention, sequences, kv);

        assertThat(law.stepNanos(prefill + 1, attention, sequences, kv)).isGreaterThanOrEqualTo(step);
        assertThat(law.stepNanos(prefill, attention + 1000, sequences, kv)).isGreaterThanOrEqualTo(step);
        assertThat(law.stepNanos(prefill, attention, sequences + 1, kv)).isGreaterThanOrEqualTo(step);
        assertThat(law.stepNanos(prefill, attention, sequences, kv + 1)).isGreaterThanOrEqualTo(step);
    }

    @Test
    void decodingBesidePromptsMayCostMore() {
        Efficiency plain = new Efficiency(0.8, 0.8, 500, 20, 10);
        Efficiency mixed = new Efficiency(0.8, 0.8, 500, 20, 10, 100);
        RooflineLaw one = RooflineLaw.of(Models.named("Llama-3.1-8B"), Gpus.named("H100"), SETTINGS, plain);
        RooflineLaw other = RooflineLaw.of(Models.named("Llama-3.1-8B"), Gpus.named("H100"), SETTINGS, mixed);
        assertThat(other.stepNanos(0, 0, 30, 9000)).isEqualTo(one.stepNanos(0, 0, 30, 9000));
        assertThat(other.stepNanos(500, 1e5, 30, 9000) - one.stepNanos(500, 1e5, 30, 9000))
                .isEqualTo(30 * 100_000L);
        assertThat(other.stepNanos(500, 1e5, 0, 0)).isEqualTo(one.stepNanos(500, 1e5, 0, 0));
    }

    @Test
    void sharesThatMeanNothingAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Efficiency(1.1, 0.5, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Efficiency(0.5, 0, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Efficiency(0.5, 0.5, -1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new RooflineLaw(0, 0, 0, 1.5, 0, 0, 0, 0, 0));
    }

    private static RooflineLaw law(String model, String gpu, KvSettings settings) {
        return RooflineLaw.of(Models.named(model), Gpus.named(gpu), settings, Efficiency.BLIS);
    }
}
