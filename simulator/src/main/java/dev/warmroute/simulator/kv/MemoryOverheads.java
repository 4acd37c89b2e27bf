package dev.warmroute.simulator.kv;

/**
 * What a card needs besides weights and KV cache, on each rank.
 *
 * <p>vLLM measures these at start-up and prints them. {@link #estimate} is a rule fitted by eye to such lines: the peak of
 * the profile run is the larger of the forward pass over {@code max_num_batched_tokens} (gate, up and activated widths, and
 * a few copies of the residual, in 16 bits) and the sampler's copies of {@code max_num_seqs} rows of logits (22 bytes an
 * element). Published lines it was held against, activation and graphs together: Llama-3.1-8B on an A100 1.44 GiB (rule:
 * 1.17), Qwen3.5-4B with its vision encoder on an L4 2.17 (1.80), Qwen3-4B on a 24 GB card 0.80 (1.30). {@link #low} and
 * {@link #high}, half and one and a half of the rule, hold all of them.
 *
 * @param activationGib peak of the profile run
 * @param nonTorchGib CUDA context, NCCL buffers and the like
 * @param cudaGraphGib set aside for CUDA graphs, since 0.21
 */
public record MemoryOverheads(double activationGib, double nonTorchGib, double cudaGraphGib) {
    private static final double GIB = 1L << 30;
    private static final double SAMPLER_BYTES_PER_LOGIT = 22;
    private static final double ACTIVATION_FLOOR_GIB = 0.2;
    private static final double NON_TORCH_GIB = 0.3;
    private static final double NCCL_GIB = 0.5;
    private static final double CUDA_GRAPH_GIB = 0.3;
    private static final double SPREAD = 0.5;

    public MemoryOverheads {
        if (!(activationGib >= 0 && nonTorchGib >= 0 && cudaGraphGib >= 0)) {
            throw new IllegalArgumentException("memory overheads must not be negative: " + activationGib + ", "
                    + nonTorchGib + ", " + cudaGraphGib + " GiB");
        }
    }

    /** What a model needs under these settings, most likely. */
    public static MemoryOverheads estimate(ModelSpec model, KvSettings settings, VllmVersion version) {
        double ranks = settings.tensorParallel();
        double forward = settings.maxNumBatchedTokens() * (6.0 * model.intermediate() / ranks + 8.0 * model.hidden());
        double sampler = SAMPLER_BYTES_PER_LOGIT * settings.maxNumSeqs() * model.vocabulary();
        return new MemoryOverheads(
                ACTIVATION_FLOOR_GIB + Math.max(forward, sampler) / GIB,
                NON_TORCH_GIB + (ranks > 1 ? NCCL_GIB : 0),
                version.atLeast(0, 21, 0) ? CUDA_GRAPH_GIB : 0);
    }

    /** The least it may be. */
    public MemoryOverheads low() {
        return times(1 - SPREAD);
    }

    /** The most it may be. */
    public MemoryOverheads high() {
        return times(1 + SPREAD);
    }

    public double totalGib() {
        return activationGib + nonTorchGib + cudaGraphGib;
    }

    private MemoryOverheads times(double factor) {
        return new MemoryOverheads(activationGib * factor, nonTorchGib * factor, cudaGraphGib * factor);
    }
}
