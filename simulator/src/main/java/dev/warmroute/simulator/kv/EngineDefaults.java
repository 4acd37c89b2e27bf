package dev.warmroute.simulator.kv;

import java.util.List;
import java.util.Locale;

/**
 * What vLLM assumes when its options are left out: the token budget and the number of sequences of a step by the class of
 * card, and the share of memory it takes ({@code EngineArgs.get_batch_defaults}, {@code vllm/engine/arg_utils.py}).
 *
 * <p>A card is large with at least 70 GiB and a name without "a100". Until 0.9.0 large cards were known by name and had as
 * many sequences as the others. The budget of cards with at least 160 GiB doubled in 0.28.0 (#51726; the limit is read
 * from the sources of 0.32.0); the memory share grew from 0.90 to 0.92 in 0.21.0, where the memory of CUDA graphs began to
 * be set aside.
 *
 * @param maxNumBatchedTokens tokens of a step
 * @param maxNumSeqs running requests
 * @param gpuMemoryUtilization share of the card's visible memory
 */
public record EngineDefaults(int maxNumBatchedTokens, int maxNumSeqs, double gpuMemoryUtilization) {
    private static final double LARGE_GIB = 70;
    private static final double LARGEST_GIB = 160;
    private static final List<String> LARGE_NAMES_BEFORE_0_9_1 = List.of("h100", "h200", "mi300");
    private static final int LARGE_SEQS = 1024;
    private static final int SEQS = 256;

    /** How vLLM is run. */
    public enum Usage {
        /** {@code vllm serve}. */
        SERVER,
        /** The {@code LLM} class in a program. */
        IN_PROCESS
    }

    public EngineDefaults {
        if (maxNumBatchedTokens < 1 || maxNumSeqs < 1 || !(gpuMemoryUtilization > 0 && gpuMemoryUtilization <= 1)) {
            throw new IllegalArgumentException("engine defaults: " + maxNumBatchedTokens + " tokens, " + maxNumSeqs
                    + " sequences, " + gpuMemoryUtilization + " of the memory");
        }
    }

    /** Defaults of the API server of the reference version. */
    public static EngineDefaults of(GpuSpec gpu) {
        return of(gpu, VllmVersion.REFERENCE, Usage.SERVER);
    }

    public static EngineDefaults of(GpuSpec gpu, VllmVersion version, Usage usage) {
        boolean large = isLarge(gpu, version);
        return new EngineDefaults(
                batchedTokens(large, gpu.visibleGib() >= LARGEST_GIB, version, usage),
                large && version.atLeast(0, 9, 1) ? LARGE_SEQS : SEQS,
                memoryShare(version));
    }

    /** Defaults of the API server on a CPU, where the share is one of the machine's memory. */
    public static EngineDefaults ofCpu(VllmVersion version) {
        return new EngineDefaults(2048, 128, memoryShare(version));
    }

    private static double memoryShare(VllmVersion version) {
        return version.atLeast(0, 21, 0) ? 0.92 : 0.90;
    }

    private static int batchedTokens(boolean large, boolean largest, VllmVersion version, Usage usage) {
        if (usage == Usage.IN_PROCESS) {
            return large ? 16384 : 8192;
        }
        if (!large) {
            return 2048;
        }
        return largest && version.atLeast(0, 28, 0) ? 16384 : 8192;
    }

    private static boolean isLarge(GpuSpec gpu, VllmVersion version) {
        String name = gpu.name().toLowerCase(Locale.ROOT);
        if (!version.atLeast(0, 9, 1)) {
            return LARGE_NAMES_BEFORE_0_9_1.stream().anyMatch(name::contains);
        }
        return gpu.visibleGib() >= LARGE_GIB && !name.contains("a100");
    }

    /** The same with {@code --performance-mode throughput}, which doubles both numbers. */
    public EngineDefaults forThroughput() {
        return new EngineDefaults(2 * maxNumBatchedTokens, 2 * maxNumSeqs, gpuMemoryUtilization);
    }

    /** Applies vLLM's last corrections: no more tokens than all sequences could have, no more sequences than tokens. */
    public EngineDefaults boundedBy(int maxModelLen) {
        int tokens = (int) Math.min(maxNumBatchedTokens, (long) maxNumSeqs * maxModelLen);
        return new EngineDefaults(tokens, Math.min(maxNumSeqs, tokens), gpuMemoryUtilization);
    }
}
