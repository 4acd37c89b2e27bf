package dev.warmroute.simulator.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.KvCapacity.TokenCountRule;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KvLayoutTest {
    private static final KvSettings SETTINGS = KvSettings.defaults(new EngineDefaults(2048, 256, 0.9));

    @ParameterizedTest(name = "{0}, {1}, {2} ranks: {3} bytes a token")
    @CsvSource({
        "Llama-3.1-8B, bf16, 1, 131072",
        "Llama-3.1-8B, fp8, 1, 65536",
        "Llama-3.1-8B, bf16, 4, 32768",
        "Llama-3.1-8B, bf16, 16, 16384", // more ranks than KV heads: each keeps one
        "Qwen3-4B, bf16, 1, 147456",
        "Qwen3-4B, fp8_per_token_head, 1, 76032", // 8 bytes of scales for each of 8 heads and 36 layers
        "Qwen3-4B, nvfp4, 1, 41472", // half a byte and a sixteenth of a byte for 73,728 elements
        "DeepSeek-V3, bf16, 1, 70272",
        "DeepSeek-V3, bf16, 8, 70272", // the latent is not split
        "DeepSeek-V3, fp8_ds_mla, 8, 40016",
        "Qwen3.5-27B, bf16, 1, 65536",
        "gpt-oss-20b, bf16, 1, 24576",
    })
    void aTokenOfContextCosts(String model, String dtype, int ranks, long bytes) {
        assertThat(Models.named(model).kvBytesPerToken(KvDtype.named(dtype), ranks))
                .isEqualTo(bytes);
    }

    @ParameterizedTest(name = "{0}: {1} layers a block id, {2} full groups, {3} others")
    @CsvSource({
        "Llama-3.1-8B, 32, 1, 0",
        "DeepSeek-V3, 61, 1, 0",
        "gpt-oss-20b, 12, 1, 1",
        "gemma-3-27b-it, 10, 1, 6", // 52 sliding layers in groups of 10, the last one padded
        "Qwen3.5-4B, 8, 1, 3",
        "Qwen3.6-35B-A3B, 10, 1, 3",
    })
    void layersAreGroupedByTheRarerKind(String model, int groupSize, int full, int others) {
        KvLayout layout = KvLayout.of(Models.named(model), SETTINGS);

        assertThat(layout.groupSize()).isEqualTo(groupSize);
        assertThat(layout.groups().stream().filter(KvGroup.Full.class::isInstance))
                .hasSize(full);
        assertThat(layout.groups()).hasSize(full + others);
        assertThat(layout.isHybrid()).isEqualTo(others > 0);
    }

    @Test
    void kindsOfNearlyTheSameNumberArePadded() {
        // 12 sliding and 13 full layers: two groups of 13 rather than three of 12.
        ModelSpec draft = new ModelSpec(
                "draft",
                List.of(),
                new AttentionLayout.Sliding(13, 12, 128, 8, 64),
                64,
                2880,
                2880,
                201088,
                ModelSpec.Experts.NONE,
                3e9,
                false,
                "made up",
                "test");

        KvLayout layout = KvLayout.of(draft, SETTINGS);

        assertThat(layout.groupSize()).isEqualTo(13);
        assertThat(layout.groups()).hasSize(2);
    }

    @Test
    void slidingWindowsHoldTheWindowAndTheChunk() {
        KvLayout layout = KvLayout.of(Models.named("gpt-oss-20b"), SETTINGS);

        // Full: 8192 blocks. Sliding: ceil((127 + 2048) / 16) + 1.
        assertThat(layout.blocksPerRequest(131072, 2048)).isEqualTo(8192 + 137);
        // A short request holds its own length twice, and one block more.
        assertThat(layout.blocksPerRequest(160, 2048)).isEqualTo(10 + 11);
        // To be hit again it needs its whole prefix and the window before its end.
        assertThat(layout.blocksForReuse(1000)).isEqualTo(62 + 8);
        assertThat(layout.blocksForReuse(15)).isZero();
    }

    @Test
    void statesCostTheSameForAnyContext() {
        KvLayout cached = KvLayout.of(Models.named("Qwen3.5-4B"), SETTINGS);
        KvLayout uncached = KvLayout.of(Models.named("Qwen3.5-4B"), SETTINGS.withPrefixCaching(false));
        KvLayout speculative = KvLayout.of(Models.named("Qwen3.5-4B"), SETTINGS.withSpeculativeTokens(2));

        assertThat(cached.blocksPerRequest(1, 2048)).isEqualTo(1 + 3 * 2);
        assertThat(cached.blocksPerRequest(528 * 10, 2048)).isEqualTo(10 + 3 * 2);
        assertThat(uncached.blocksPerRequest(528 * 10, 2048)).isEqualTo(10 + 3);
        assertThat(speculative.blocksPerRequest(speculative.blockSize() * 10L, 2048))
                .isEqualTo(10 + 3 * 4);
        // Two more inputs of 8192 channels in bf16: no longer within 33 steps of 16 tokens.
        assertThat(speculative.blockSize()).isEqualTo(544);
        assertThat(cached.blocksForReuse(527)).isZero();
        assertThat(cached.blocksForReuse(528)).isEqualTo(1 + 3);
    }

    @Property
    void neverFewerBlocksForALongerContext(@ForAll @IntRange(min = 1, max = 300_000) int tokens) {
        for (ModelSpec model : Models.all()) {
            KvLayout layout = KvLayout.of(model, SETTINGS);
            assertThat(layout.blocksPerRequest(tokens + 1L, 2048))
                    .isGreaterThanOrEqualTo(layout.blocksPerRequest(tokens, 2048));
            assertThat(layout.blocksForReuse(tokens)).isLessThanOrEqualTo(layout.blocksPerRequest(tokens, 2048));
        }
    }

    @Test
    void blocksAreWhatFitsAfterTwoDivisions() {
        KvLayout layout = KvLayout.of(Models.named("Qwen3-4B"), SETTINGS);

        assertThat(layout.bytesPerBlock()).isEqualTo(147_456 * 16);
        assertThat(layout.blocksIn(layout.bytesPerBlock() * 7 - 1)).isEqualTo(6);
        assertThat(layout.blocksIn(layout.bytesPerBlock() * 7)).isEqualTo(7);
        assertThat(layout.blocksIn(-5)).isZero();
        assertThatIllegalStateException()
                .isThrownBy(() -> KvLayout.ofBlockSize(16).blocksIn(1 << 20));
    }

    @Test
    void largerBlocksCanBeAskedFor() {
        assertThat(KvLayout.of(Models.named("Qwen3-4B"), SETTINGS.withBlockSize(128))
                        .blockSize())
                .isEqualTo(128);
        assertThat(KvLayout.of(Models.named("Qwen3.5-4B"), SETTINGS.withBlockSize(128))
                        .blockSize())
                .isEqualTo(528);
    }

    @Test
    void cacheTypesThatDoNotGoWithAModelAreRefused() {
        ModelSpec llama = Models.named("Llama-3.1-8B");
        ModelSpec deepseek = Models.named("DeepSeek-V3");

        assertThatThrownBy(() -> llama.kvBytesPerToken(KvDtype.FP8_DS_MLA, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("use fp8");
        assertThatThrownBy(() -> deepseek.kvBytesPerToken(KvDtype.NVFP4, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("latent attention");
    }

    @Test
    void tokensBeforeAndAfterTheChangeOfRule() {
        KvCapacity hybrid =
                DerivedCapacity.fromAvailable(Models.named("Qwen3.6-35B-A3B"), SETTINGS.withKvDtype(KvDtype.FP8), 5.98);

        assertThat(hybrid.loggedTokens(131072, 2048, TokenCountRule.of(new VllmVersion(0, 20, 0))))
                .isEqualTo(299 / 4 * 2096);
        assertThat(hybrid.loggedTokens(131072, 2048, TokenCountRule.of(new VllmVersion(0, 21, 0))))
                .isEqualTo(567_978);

        KvCapacity uniform = KvCapacity.reported(2594, 16);
        assertThat(uniform.loggedTokens(40960, 2048, TokenCountRule.BY_GROUP)).isEqualTo(2594 * 16);
        assertThat(uniform.loggedTokens(40960, 2048, TokenCountRule.BY_CONTEXT)).isEqualTo(2594 * 16);
    }

    @Test
    void tokensInContextsOfALengthCountWholeBlocks() {
        KvCapacity capacity = KvCapacity.reported(101, 16);

        assertThat(capacity.usableBlocks()).isEqualTo(100);
        assertThat(capacity.tokensInContextsOf(160, 2048)).isEqualTo(1600);
        // 17 tokens take two blocks, so 50 such contexts fit.
        assertThat(capacity.tokensInContextsOf(17, 2048)).isEqualTo(850);
    }

    @Test
    void settingsAndLayoutsThatMeanNothingAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withGpuMemoryUtilization(1.2));
        assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withTensorParallel(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new KvLayout(16, 1, 1, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new AttentionLayout.Uniform(32, 0, 128));
        assertThatIllegalArgumentException().isThrownBy(() -> KvCapacity.reported(1, 16));
    }
}
