package dev.warmroute.simulator.kv;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How a model's KV cache is cut into blocks on one rank: the result of vLLM's grouping of layers
 * ({@code vllm/v1/core/kv_cache_utils.py}). A block id stands for one page in each of {@code groupSize} layers, so it costs
 * {@code pageBytes * groupSize} bytes.
 *
 * <ul>
 *   <li>Uniform and latent attention: one group of all layers; a page is {@code blockSize} tokens of one layer.
 *   <li>Two kinds of layers: groups of equal size, the number of layers of the rarer kind, unless the more frequent kind has
 *       less than 1.5 times as many; then the larger number, and the other kind is padded.
 *   <li>Gated-delta layers: the block size grows, in steps of 16 tokens, until an attention page is at least as large as one
 *       layer's state, and the state is padded to the page.
 * </ul>
 *
 * @param blockSize tokens in a block
 * @param pageBytes bytes of one block in one layer on one rank; 0 when the layout is not known
 * @param groupSize layers that share a block id
 * @param groups the groups, those of full attention first
 */
public record KvLayout(int blockSize, long pageBytes, int groupSize, List<KvGroup> groups) {
    /** vLLM's block size unless a backend or the user says otherwise. */
    public static final int DEFAULT_BLOCK_SIZE = 16;

    private static final double PADDING_LIMIT = 1.5;

    public KvLayout {
        groups = List.copyOf(groups);
        if (blockSize < 1 || pageBytes < 0 || groupSize < 1 || groups.isEmpty()) {
            throw new IllegalArgumentException("block size and group size must be at least 1, page bytes at least 0: "
                    + blockSize + ", " + groupSize + ", " + pageBytes);
        }
    }

    /** A layout of which only the block size is known: one full-attention group, bytes unknown. */
    public static KvLayout ofBlockSize(int blockSize) {
        return new KvLayout(blockSize, 0, 1, List.of(new KvGroup.Full()));
    }

    /** Works out the layout of a model under these settings. */
    public static KvLayout of(ModelSpec model, KvSettings settings) {
        long tokenBytes = model.tokenLayerBytes(settings.kvDtype(), settings.tensorParallel());
        return switch (model.attention()) {
            case AttentionLayout.Uniform a -> oneGroup(a.layers(), tokenBytes, settings);
            case AttentionLayout.Latent a -> oneGroup(a.layers(), tokenBytes, settings);
            case AttentionLayout.Sliding a ->
                twoKinds(
                        a.fullLayers(),
                        a.slidingLayers(),
                        new KvGroup.SlidingWindow(a.window()),
                        settings.blockSize(),
                        tokenBytes * settings.blockSize());
            case AttentionLayout.GatedDelta a -> gatedDelta(a, tokenBytes, settings);
        };
    }

    private static KvLayout oneGroup(int layers, long tokenBytes, KvSettings settings) {
        return new KvLayout(
                settings.blockSize(), tokenBytes * settings.blockSize(), layers, List.of(new KvGroup.Full()));
    }

    private static KvLayout gatedDelta(AttentionLayout.GatedDelta a, long tokenBytes, KvSettings settings) {
        long state = a.stateBytes(settings.tensorParallel(), settings.speculativeTokens());
        long step = DEFAULT_BLOCK_SIZE * tokenBytes;
        int aligned = DEFAULT_BLOCK_SIZE * Math.toIntExact(Math.ceilDiv(state, step));
        int blockSize = Math.max(aligned, settings.blockSize());
        // Cached states cost a second block: the one at the last block boundary beside the running one.
        int states = (settings.prefixCaching() ? 2 : 1) + settings.speculativeTokens();
        return twoKinds(a.fullLayers(), a.stateLayers(), new KvGroup.State(states), blockSize, tokenBytes * blockSize);
    }

    private static KvLayout twoKinds(int full, int others, KvGroup other, int blockSize, long pageBytes) {
        int fewer = Math.min(full, others);
        int more = Math.max(full, others);
        int groupSize = more < fewer * PADDING_LIMIT ? more : fewer;
        List<KvGroup> groups = new ArrayList<>();
        groups.addAll(Collections.nCopies(Math.ceilDiv(full, groupSize), new KvGroup.Full()));
        groups.addAll(Collections.nCopies(Math.ceilDiv(others, groupSize), other));
        return new KvLayout(blockSize, pageBytes, groupSize, groups);
    }

    /** Bytes of one block id on one rank; 0 when the layout is not known. */
    public long bytesPerBlock() {
        return pageBytes * groupSize;
    }

    /** Says whether bytes are known. */
    public boolean hasBytes() {
        return pageBytes > 0;
    }

    /** Blocks that fit into this many bytes on one rank: first divided by the page, then by the layers, as vLLM does. */
    public int blocksIn(long bytes) {
        if (!hasBytes()) {
            throw new IllegalStateException("the bytes of a block are not known");
        }
        return Math.toIntExact(Math.max(0, bytes) / pageBytes / groupSize);
    }

    /**
     * Blocks that one request with a context of {@code tokens} holds at most, over all groups.
     *
     * @param maxNumBatchedTokens token budget of an engine step; matters for sliding windows only
     */
    public long blocksPerRequest(long tokens, int maxNumBatchedTokens) {
        long blocks = 0;
        for (KvGroup group : groups) {
            blocks += group.blocksPerRequest(tokens, blockSize, maxNumBatchedTokens);
        }
        return blocks;
    }

    /**
     * Blocks that have to stay in the cache, after a request ended, for the next turn with the same first {@code tokens}
     * tokens to hit as much of them as this layout allows.
     */
    public long blocksForReuse(long tokens) {
        long blocks = 0;
        for (KvGroup group : groups) {
            blocks += group.blocksForReuse(tokens, blockSize);
        }
        return blocks;
    }

    /**
     * Blocks that pass through the pool while a prompt is computed from its beginning. A sliding window keeps few of them, but each
     * one it takes overwrites what was idle.
     */
    public long blocksPassed(long tokens) {
        long blocks = 0;
        for (KvGroup group : groups) {
            blocks += group.blocksPassed(tokens, blockSize);
        }
        return blocks;
    }

    /** Says whether anything but full attention is cached. */
    public boolean isHybrid() {
        return groups.size() > 1;
    }
}
