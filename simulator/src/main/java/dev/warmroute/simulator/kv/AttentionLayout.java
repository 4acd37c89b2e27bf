package dev.warmroute.simulator.kv;

/**
 * Which layers of a model keep what in the KV cache. The four layouts of today's models; the numbers are those of the
 * published model configuration, before any split by tensor parallelism.
 */
public sealed interface AttentionLayout {

    /** Layers whose KV grows with the whole context. */
    int fullLayers();

    /** All layers that keep something in the KV cache. */
    int layers();

    /** Every layer attends to the whole context with grouped-query attention (Llama, Qwen3, GLM-4.5). */
    record Uniform(int layers, int kvHeads, int headDim) implements AttentionLayout {
        public Uniform {
            requirePositive("uniform attention", layers, kvHeads, headDim);
        }

        @Override
        public int fullLayers() {
            return layers;
        }
    }

    /**
     * Multi-head latent attention: one latent vector a token and layer, the same on every tensor-parallel rank (DeepSeek-V3,
     * Kimi-K2).
     *
     * @param latentDim elements a token and layer: the compressed KV and the rotary key, 512 + 64
     */
    record Latent(int layers, int latentDim) implements AttentionLayout {
        public Latent {
            requirePositive("latent attention", layers, latentDim);
        }

        @Override
        public int fullLayers() {
            return layers;
        }
    }

    /**
     * Some layers attend to the whole context, the others to the last {@code window} tokens (gpt-oss, Gemma).
     *
     * @param window tokens that a sliding layer sees, the current one included
     */
    record Sliding(int fullLayers, int slidingLayers, int window, int kvHeads, int headDim) implements AttentionLayout {
        public Sliding {
            requirePositive("sliding-window attention", fullLayers, slidingLayers, window, kvHeads, headDim);
        }

        @Override
        public int layers() {
            return fullLayers + slidingLayers;
        }
    }

    /**
     * Some layers attend to the whole context, the others are gated-delta layers with a recurrent state of fixed size
     * (Qwen3-Next, Qwen3.5 and later).
     *
     * @param stateKeyHeads key heads of a gated-delta layer
     * @param stateValueHeads value heads of a gated-delta layer
     * @param stateDim size of a key or value head
     * @param convolution width of the convolution before the recurrence
     */
    record GatedDelta(
            int fullLayers,
            int kvHeads,
            int headDim,
            int stateLayers,
            int stateKeyHeads,
            int stateValueHeads,
            int stateDim,
            int convolution)
            implements AttentionLayout {
        private static final int STATE_BYTES = 4;
        private static final int CONVOLUTION_BYTES = 2;

        public GatedDelta {
            requirePositive(
                    "gated-delta layers",
                    fullLayers,
                    kvHeads,
                    headDim,
                    stateLayers,
                    stateKeyHeads,
                    stateValueHeads,
                    stateDim,
                    convolution);
        }

        @Override
        public int layers() {
            return fullLayers + stateLayers;
        }

        /**
         * Returns the bytes of one layer's state on one rank: the recurrent matrix of each value head in fp32, and the
         * convolution's last inputs (keys, queries and values) in bf16, with one more for each speculative token.
         */
        public long stateBytes(int tensorParallel, int speculativeTokens) {
            long keyHeads = share(stateKeyHeads, tensorParallel);
            long valueHeads = share(stateValueHeads, tensorParallel);
            long recurrent = valueHeads * stateDim * stateDim * STATE_BYTES;
            long channels = (2 * keyHeads + valueHeads) * stateDim;
            return recurrent + channels * (convolution - 1 + speculativeTokens) * CONVOLUTION_BYTES;
        }
    }

    /** Heads of one rank: split evenly, at least one (they are repeated when there are more ranks than heads). */
    static int share(int heads, int tensorParallel) {
        return Math.max(1, heads / tensorParallel);
    }

    private static void requirePositive(String what, int... numbers) {
        for (int number : numbers) {
            if (number < 1) {
                throw new IllegalArgumentException(what + ": every number must be at least 1, found " + number);
            }
        }
    }
}
