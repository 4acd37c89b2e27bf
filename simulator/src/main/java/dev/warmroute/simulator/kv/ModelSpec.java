package dev.warmroute.simulator.kv;

import java.util.List;
import java.util.Objects;

/**
 * What a model's size depends on, as in its published configuration.
 *
 * @param name its name
 * @param aliases other names of models of the same shape
 * @param attention what its layers keep in the KV cache
 * @param attentionHeads query heads of an attention layer
 * @param hidden width of the residual stream
 * @param intermediate width of a dense feed-forward layer
 * @param vocabulary tokens in the vocabulary
 * @param experts experts; {@link Experts#NONE} for a dense model
 * @param parameters all parameters, embeddings included
 * @param tiedEmbeddings whether the output head is the embedding
 * @param confidence how sure these numbers are: "source read" or "recalled"
 * @param source where they come from
 */
public record ModelSpec(
        String name,
        List<String> aliases,
        AttentionLayout attention,
        int attentionHeads,
        int hidden,
        int intermediate,
        int vocabulary,
        Experts experts,
        double parameters,
        boolean tiedEmbeddings,
        String confidence,
        String source) {
    private static final int EMBEDDING_BYTES = 2;

    /** DeepSeek-V3's heads while a prompt is read: 128 plain and 64 rotary elements in a key, 128 in a value. */
    private static final int LATENT_KEY_DIM = 192;

    private static final int LATENT_VALUE_DIM = 128;

    public ModelSpec {
        Objects.requireNonNull(attention, "attention");
        Objects.requireNonNull(experts, "experts");
        Objects.requireNonNull(confidence, "confidence");
        Objects.requireNonNull(source, "source");
        aliases = List.copyOf(aliases);
        if (name.isBlank() || attentionHeads < 1 || hidden < 1 || intermediate < 1 || vocabulary < 1) {
            throw new IllegalArgumentException(
                    "model '" + name + "': heads, hidden, intermediate and vocabulary must be at least 1");
        }
        double parts = (tiedEmbeddings ? 1.0 : 2.0) * vocabulary * hidden
                + 3.0 * experts.layers() * experts.count() * hidden * experts.intermediate();
        if (!(parameters > parts && Double.isFinite(parameters))) {
            throw new IllegalArgumentException("model '" + name + "': " + parameters
                    + " parameters are fewer than its embeddings and experts have (" + parts + ")");
        }
    }

    /** Parameters of the embedding and, where it is a matrix of its own, the output head. */
    public double embeddingParameters() {
        return (tiedEmbeddings ? 1.0 : 2.0) * vocabulary * hidden;
    }

    /** Parameters of all experts of all layers; 0 for a dense model. */
    public double expertParameters() {
        return (double) experts.layers() * experts.count() * 3 * hidden * experts.intermediate();
    }

    /**
     * Parameters that a token is multiplied with: all but the embeddings, and of the experts only the chosen ones. The
     * output head is left out, since it is applied to one token of a sequence.
     */
    public double activeParameters() {
        double dense = parameters - embeddingParameters() - expertParameters();
        return dense + expertParameters() * experts.share();
    }

    /** Bytes of the weights of the whole model, over all ranks. */
    public double weightBytes(WeightDtype dtype) {
        return (parameters - embeddingParameters()) * dtype.bytesPerParameter()
                + embeddingParameters() * EMBEDDING_BYTES;
    }

    /**
     * Bytes of weights that a step reads besides the experts, over all ranks. An embedding that is a table of its own is
     * only looked up, so it is not read.
     */
    public double denseReadBytes(WeightDtype dtype) {
        double lookedUp = tiedEmbeddings ? 0 : (double) vocabulary * hidden * EMBEDDING_BYTES;
        return weightBytes(dtype) - lookedUp - expertBytes(dtype);
    }

    /** Bytes of the weights of all experts, over all ranks; 0 for a dense model. */
    public double expertBytes(WeightDtype dtype) {
        return expertParameters() * dtype.bytesPerParameter();
    }

    /**
     * Floating-point operations of attention for one pair of tokens, over all layers that attend to the whole context: one
     * product with the key and one with the value, for each head.
     */
    public double attentionFlopsPerPair() {
        int keyAndValue = switch (attention) {
            case AttentionLayout.Uniform a -> 2 * a.headDim();
            case AttentionLayout.Latent a -> LATENT_KEY_DIM + LATENT_VALUE_DIM;
            case AttentionLayout.Sliding a -> 2 * a.headDim();
            case AttentionLayout.GatedDelta a -> 2 * a.headDim();
        };
        return 2.0 * attention.fullLayers() * attentionHeads * keyAndValue;
    }

    /**
     * Bytes that one decoding sequence reads and writes a step on one rank whatever its context: its sliding windows, and
     * its recurrent states once in and once out.
     */
    public double sequenceBytes(KvDtype dtype, int tensorParallel) {
        return switch (attention) {
            case AttentionLayout.Uniform a -> 0;
            case AttentionLayout.Latent a -> 0;
            case AttentionLayout.Sliding a ->
                (double) a.slidingLayers() * a.window() * tokenLayerBytes(dtype, tensorParallel);
            case AttentionLayout.GatedDelta a -> 2.0 * a.stateLayers() * a.stateBytes(tensorParallel, 0);
        };
    }

    /**
     * Bytes of KV cache that one more token of context costs on one rank: full-attention layers only, since sliding windows
     * and recurrent states do not grow.
     */
    public long kvBytesPerToken(KvDtype dtype, int tensorParallel) {
        return attention.fullLayers() * tokenLayerBytes(dtype, tensorParallel);
    }

    /** Bytes of one token's KV in one attention layer on one rank. */
    long tokenLayerBytes(KvDtype dtype, int tensorParallel) {
        return switch (attention) {
            case AttentionLayout.Uniform a ->
                dtype.attentionBytes(AttentionLayout.share(a.kvHeads(), tensorParallel), a.headDim());
            case AttentionLayout.Latent a -> dtype.latentBytes(a.latentDim());
            case AttentionLayout.Sliding a ->
                dtype.attentionBytes(AttentionLayout.share(a.kvHeads(), tensorParallel), a.headDim());
            case AttentionLayout.GatedDelta a ->
                dtype.attentionBytes(AttentionLayout.share(a.kvHeads(), tensorParallel), a.headDim());
        };
    }

    /**
     * The experts of a mixture.
     *
     * @param layers layers that have experts; the others have a dense feed-forward layer
     * @param count experts of a layer
     * @param perToken experts that a token is sent to
     * @param intermediate width of one expert
     */
    public record Experts(int layers, int count, int perToken, int intermediate) {
        public static final Experts NONE = new Experts(0, 0, 0, 0);

        public Experts {
            boolean none = layers == 0 && count == 0 && perToken == 0 && intermediate == 0;
            boolean some = layers > 0 && count > 0 && perToken > 0 && perToken <= count && intermediate > 0;
            if (!none && !some) {
                throw new IllegalArgumentException("experts: " + perToken + " of " + count + " with width "
                        + intermediate + " in " + layers + " layers");
            }
        }

        /** Share of the experts that one token uses; 0 without experts. */
        public double share() {
            return count == 0 ? 0 : (double) perToken / count;
        }
    }
}
