package dev.warmroute.simulator.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.simulator.kv.KvCapacity.TokenCountRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What running engines wrote into their logs at start-up, to the digit. */
class PublishedLogsTest {

    /** Block size, blocks, concurrency and tokens from the "Available KV cache memory" line. */
    @ParameterizedTest(name = "{0}, {2} KV, {4} GiB")
    @CsvSource({
        // club-3090#612: NVFP4 weights on one RTX 5090
        "Qwen3.6-35B-A3B, 1, fp8, 131072, 5.98, 2096, 299, 4.33, 567978",
        // talos#1995: FP8 weights on two cards
        "Qwen3.8-27B-FP8, 2, fp8, 131072, 4.99, 1568, 208, 2.31, 302921",
        // vLLM 0.29.0 on one L4
        "Qwen/Qwen3.5-4B, 1, bf16, 32768, 9.10, 528, 564, 8.17, 267842",
        // vLLM 0.3x on one A100-80GB; the log rounds to 56.21 GiB, the blocks say 56.213 to 56.215
        "meta-llama/Llama-3.1-8B-Instruct, 1, bf16, 131072, 56.214, 16, 28781, 3.51, 460496",
        // worked example: 27B with 188 blocks of 51.38 MB on an RTX 5090, short and long contexts
        "Qwen3.6-27B, 1, fp8, 36608, 9.0, 1568, 188, 6.27, 229410",
        "Qwen3.6-27B, 1, fp8, 131072, 9.0, 1568, 188, 2.09, 273794",
        "Qwen3.6-27B, 1, bf16, 32768, 9.0, 784, 188, 3.92, 128341",
    })
    void blocksConcurrencyAndTokensAreTheLogged(
            String model,
            int ranks,
            String kvDtype,
            int maxModelLen,
            double availableGib,
            int blockSize,
            int blocks,
            double concurrency,
            long tokens) {
        KvSettings settings = KvSettings.defaults(Gpus.named("RTX 5090"))
                .withTensorParallel(ranks)
                .withKvDtype(KvDtype.named(kvDtype));

        KvCapacity capacity = DerivedCapacity.fromAvailable(Models.named(model), settings, availableGib);

        assertThat(capacity.blockSize()).isEqualTo(blockSize);
        assertThat(capacity.numGpuBlocks()).isEqualTo(blocks);
        assertThat(capacity.concurrency(maxModelLen, settings.maxNumBatchedTokens()))
                .isCloseTo(concurrency, within(0.005));
        assertThat(capacity.loggedTokens(maxModelLen, settings.maxNumBatchedTokens(), TokenCountRule.BY_CONTEXT))
                .isEqualTo(tokens);
    }

    @ParameterizedTest(name = "{0} with {1} KV has blocks of {2}")
    @CsvSource({
        "Qwen3.6-35B-A3B, fp8, 2096",
        "Qwen3.5-4B, bf16, 528", // vllm#40696
        "Qwen3.5-27B, bf16, 784", // vllm#54607
        "Qwen3.5-27B, fp8, 1568",
    })
    void gatedDeltaBlocksAreAsLargeAsAState(String model, String kvDtype, int blockSize) {
        KvSettings settings = KvSettings.defaults(Gpus.named("RTX 5090")).withKvDtype(KvDtype.named(kvDtype));

        assertThat(KvLayout.of(Models.named(model), settings).blockSize()).isEqualTo(blockSize);
    }

    /** The 0.32.0 server whose /metrics are recorded beside this project: 300 blocks of 32 tokens, contexts up to 8192. */
    @Test
    void theRecordedServersLabelsFollowFromItsBlocks() {
        KvCapacity capacity = KvCapacity.reported(300, 32);

        assertThat(capacity.concurrency(8192, 512)).isEqualTo(1.171875);
        assertThat(capacity.loggedTokens(8192, 512, TokenCountRule.of(VllmVersion.REFERENCE)))
                .isEqualTo(9600);
        assertThat(capacity.usableTokens()).isEqualTo(299 * 32);
    }

    /** Derived from model, card and settings alone: the published worked examples, within their ranges. */
    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource({
        "Qwen3-4B, RTX A4000, 0.90, 5.0, 6.0, 2275, 2730",
        "Llama-3.1-8B, A100-80GB, 0.92, 55.2, 57.2, 28260, 29290",
        "Llama-3.1-8B, H100, 0.92, 53.5, 57.0, 27390, 29190",
    })
    void derivedCapacitiesAreWithinTheWorkedExamples(
            String model,
            String gpu,
            double utilization,
            double lowGib,
            double highGib,
            int lowBlocks,
            int highBlocks) {
        KvSettings settings = KvSettings.defaults(Gpus.named(gpu)).withGpuMemoryUtilization(utilization);

        DerivedCapacity derived = DerivedCapacity.of(Models.named(model), Gpus.named(gpu), settings);

        assertThat(derived.availableGib()).isBetween(lowGib, highGib);
        assertThat(derived.likely().numGpuBlocks()).isBetween(lowBlocks, highBlocks);
        assertThat(derived.low().numGpuBlocks()).isLessThan(derived.likely().numGpuBlocks());
        assertThat(derived.high().numGpuBlocks()).isGreaterThan(derived.likely().numGpuBlocks());
        assertThat(derived.likely().source()).isEqualTo(CapacitySource.DERIVED);
    }

    /** KV memory that engines reported, in GiB, against what is derived: inside the range that is given with it. */
    @ParameterizedTest(name = "{0} on {1}: {4} GiB")
    @CsvSource({
        "Llama-3.1-8B, A100-80GB, bf16, 0.92, 56.21", // 0.3x
        "Qwen3.5-4B, L4, bf16, 0.92, 9.10", // 0.29.0, with a vision encoder
        "Qwen3-4B, RTX 4090, bf16, 0.92, 12.86", // with room for one LoRA adapter
    })
    void reportedMemoryIsInsideTheDerivedRange(
            String model, String gpu, String weights, double utilization, double reportedGib) {
        KvSettings settings = KvSettings.defaults(Gpus.named(gpu))
                .withWeightDtype(WeightDtype.named(weights))
                .withGpuMemoryUtilization(utilization);

        DerivedCapacity derived = DerivedCapacity.of(Models.named(model), Gpus.named(gpu), settings);
        int reported = DerivedCapacity.fromAvailable(Models.named(model), settings, reportedGib)
                .numGpuBlocks();

        assertThat(reported)
                .isBetween(derived.low().numGpuBlocks(), derived.high().numGpuBlocks());
    }
}
