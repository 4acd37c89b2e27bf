package dev.warmroute.simulator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.KvSettings;
import dev.warmroute.simulator.kv.Models;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingPresetsTest {

    @Test
    void thePresetsAreThese() {
        assertThat(TimingPresets.all())
                .extracting(TimingPreset::name)
                .containsExactly(
                        "h100-8b",
                        "a100-8b",
                        "a4000-qwen3-4b",
                        "rtx5090-qwen3-4b",
                        "l4-qwen3-4b-fp8",
                        "cpu-mid",
                        "instant");
        assertThat(TimingPresets.DEFAULT.preset().name()).isEqualTo("h100-8b");
        assertThat(TimingPresets.named("H100 8B")).isSameAs(TimingPresets.H100_8B.preset());
    }

    @Test
    void anUnknownPresetIsRefusedWithTheNearestOnes() {
        assertThatThrownBy(() -> TimingPresets.named("h100-70b"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("unknown timing preset 'h100-70b'; nearest: h100-8b, ");
    }

    @ParameterizedTest
    @EnumSource(TimingPresets.class)
    void everyPresetSaysWhatItIsAndWhereItComesFrom(TimingPresets entry) {
        TimingPreset preset = entry.preset();
        assertThat(preset.description()).isNotBlank();
        assertThat(preset.source()).isNotBlank();
        assertThat(preset.law().affineInContext()).isTrue();
        for (int sequences : new int[] {1, 7, 32}) {
            StepTimeLawTest.assertRunIsSumOfSteps(preset.law(), sequences, 12_345L * sequences, 150);
        }
    }

    /** Milliseconds of a decode step alone, of 32 sequences of 4,000 tokens, and of a 2,048-token chunk. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "h100-8b, 7.37, 14.51, 47.30",
        "a100-8b, 11.38, 22.98, 133.29",
        "a4000-qwen3-4b, 19.67, 90.00, 526.10",
        "rtx5090-qwen3-4b, 6.31, 20.87, 81.80",
        "l4-qwen3-4b-fp8, 17.62, 88.09, 178.74",
        "cpu-mid, 16.02, 88.10, 673.30",
        "instant, 0, 0, 0",
    })
    void presetsAreWhatTheySay(String name, double alone, double loaded, double chunk) {
        StepTimeLaw law = TimingPresets.named(name).law();

        assertThat(law.stepNanos(0, 0, 1, 100) / 1e6).isCloseTo(alone, within(0.006));
        assertThat(law.stepNanos(0, 0, 32, 128_000) / 1e6).isCloseTo(loaded, within(0.006));
        assertThat(law.stepNanos(2048, StepTimeLaw.chunkAttention(2048, 0), 0, 0) / 1e6)
                .isCloseTo(chunk, within(0.006));
    }

    /**
     * BLIS's fit of Llama-3.1-8B on an H100, per-request and per-step terms together, in milliseconds. It has no term for
     * attention, so ours is left out.
     */
    @ParameterizedTest(name = "{0} prefill tokens")
    @ValueSource(longs = {1024, 2048, 4096, 8192})
    void theDefaultAgreesWithTheLinearFit(long tokens) {
        double blis = 0.2325 + 5.7527 + (0.001752 + 0.01725) * tokens;
        StepTimeLaw law = TimingPresets.H100_8B.preset().law();

        assertThat(law.stepNanos(tokens, 0, 0, 0) / 1e6).isCloseTo(blis, Percentage.withPercentage(11));
    }

    /** openinfer, RTX 5090, vLLM 0.22.1: a prompt alone, nothing cached and all cached but the last block. */
    @ParameterizedTest(name = "{0} tokens")
    @CsvSource({
        "512, 28.5, 14.3",
        "1024, 50.3, 16.1",
        "2048, 95.2, 19.8",
        "4096, 197.9, 27.3",
        "8192, 449.6, 46.9",
        "16384, 1106.8, 90.8",
    })
    void publishedTimesToFirstTokenAreReproduced(long tokens, double coldMillis, double cachedMillis) {
        TimingPreset preset = TimingPresets.RTX5090_QWEN3_4B.preset();
        long cold = preset.frontend().nanos(tokens);
        for (long at = 0; at < tokens; at += 2048) {
            long chunk = Math.min(2048, tokens - at);
            cold += preset.law().stepNanos(chunk, StepTimeLaw.chunkAttention(chunk, at), 0, 0);
        }
        long cached = preset.frontend().nanos(tokens)
                + preset.law().stepNanos(16, StepTimeLaw.chunkAttention(16, tokens - 16), 0, 0);

        assertThat(cold / 1e6).isCloseTo(coldMillis, Percentage.withPercentage(3));
        assertThat(cached / 1e6).isCloseTo(cachedMillis, Percentage.withPercentage(11));
    }

    @Test
    void theFrontendIsPaidForEveryPromptToken() {
        FrontendDelay delay = FrontendDelay.ofMillis(13, 4.8);

        assertThat(delay.nanos(0)).isEqualTo(13_000_000);
        assertThat(delay.nanos(1000)).isEqualTo(17_800_000);
        assertThat(FrontendDelay.NONE.nanos(1 << 20)).isZero();
    }

    @Test
    void anyModelOnAnyCardHasARoofline() {
        KvSettings settings = KvSettings.defaults(Gpus.named("H200")).withTensorParallel(8);

        TimingPreset preset = TimingPreset.roofline(Models.named("DeepSeek-V3"), Gpus.named("H200"), settings);

        assertThat(preset.description()).isEqualTo("DeepSeek-V3 (bf16, KV bf16) on 8 x H200 SXM");
        assertThat(preset.law().stepNanos(0, 0, 1, 1000)).isBetween(1_000_000L, 50_000_000L);
    }
}
