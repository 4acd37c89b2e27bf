package dev.warmroute.simulator.kv;

import java.util.Objects;

/**
 * The engine settings that a replica's cache depends on; {@link #defaults} gives vLLM's own, the {@code with} methods change
 * one each.
 *
 * @param kvDtype how KV entries are stored
 * @param weightDtype how weights are stored
 * @param tensorParallel cards that one replica is split over
 * @param gpuMemoryUtilization share of each card's visible memory that vLLM takes
 * @param maxNumBatchedTokens token budget of a step
 * @param maxNumSeqs running requests
 * @param blockSize tokens in a block; a lower bound for models with gated-delta layers
 * @param speculativeTokens draft tokens a step; 0 without speculative decoding
 * @param prefixCaching whether prefixes are cached
 */
public record KvSettings(
        KvDtype kvDtype,
        WeightDtype weightDtype,
        int tensorParallel,
        double gpuMemoryUtilization,
        int maxNumBatchedTokens,
        int maxNumSeqs,
        int blockSize,
        int speculativeTokens,
        boolean prefixCaching) {

    public KvSettings {
        Objects.requireNonNull(kvDtype, "kvDtype");
        Objects.requireNonNull(weightDtype, "weightDtype");
        if (tensorParallel < 1 || maxNumBatchedTokens < 1 || maxNumSeqs < 1 || blockSize < 1 || speculativeTokens < 0) {
            throw new IllegalArgumentException(
                    "tensor parallel, token budget, sequences and block size must be at least 1, "
                            + "speculative tokens at least 0: " + tensorParallel + ", " + maxNumBatchedTokens + ", "
                            + maxNumSeqs
                            + ", " + blockSize + ", " + speculativeTokens);
        }
        if (!(gpuMemoryUtilization > 0 && gpuMemoryUtilization <= 1)) {
            throw new IllegalArgumentException(
                    "gpu_memory_utilization must be above 0 and at most 1: " + gpuMemoryUtilization);
        }
    }

    /** vLLM's defaults for a card: bf16, one card, blocks of 16, no speculation, prefix caching on. */
    public static KvSettings defaults(EngineDefaults engine) {
        return new KvSettings(
                KvDtype.BF16,
                WeightDtype.BF16,
                1,
                engine.gpuMemoryUtilization(),
                engine.maxNumBatchedTokens(),
                engine.maxNumSeqs(),
                KvLayout.DEFAULT_BLOCK_SIZE,
                0,
                true);
    }

    /** vLLM's defaults for a card in the reference version. */
    public static KvSettings defaults(GpuSpec gpu) {
        return defaults(EngineDefaults.of(gpu));
    }

    public KvSettings withKvDtype(KvDtype dtype) {
        return new KvSettings(
                dtype,
                weightDtype,
                tensorParallel,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                speculativeTokens,
                prefixCaching);
    }

    public KvSettings withWeightDtype(WeightDtype dtype) {
        return new KvSettings(
                kvDtype,
                dtype,
                tensorParallel,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                speculativeTokens,
                prefixCaching);
    }

    public KvSettings withTensorParallel(int cards) {
        return new KvSettings(
                kvDtype,
                weightDtype,
                cards,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                speculativeTokens,
                prefixCaching);
    }

    public KvSettings withGpuMemoryUtilization(double share) {
        return new KvSettings(
                kvDtype,
                weightDtype,
                tensorParallel,
                share,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                speculativeTokens,
                prefixCaching);
    }

    public KvSettings withBatch(int maxNumBatchedTokens, int maxNumSeqs) {
        return new KvSettings(
                kvDtype,
                weightDtype,
                tensorParallel,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                speculativeTokens,
                prefixCaching);
    }

    public KvSettings withBlockSize(int tokens) {
        return new KvSettings(
                kvDtype,
                weightDtype,
                tensorParallel,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                tokens,
                speculativeTokens,
                prefixCaching);
    }

    public KvSettings withSpeculativeTokens(int tokens) {
        return new KvSettings(
                kvDtype,
                weightDtype,
                tensorParallel,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                tokens,
                prefixCaching);
    }

    public KvSettings withPrefixCaching(boolean on) {
        return new KvSettings(
                kvDtype,
                weightDtype,
                tensorParallel,
                gpuMemoryUtilization,
                maxNumBatchedTokens,
                maxNumSeqs,
                blockSize,
                speculativeTokens,
                on);
    }
}
