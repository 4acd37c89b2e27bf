package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.util.Objects;

/**
 * The KV cache of one replica: how many blocks, what a block is, and who says so.
 *
 * <p>The unit is the block. A number of tokens depends on the contexts asked about as soon as a model has sliding windows or
 * recurrent states, and the engine's log says it for contexts of {@code max_model_len}.
 *
 * @param source where the number of blocks comes from
 * @param numGpuBlocks vLLM's {@code num_gpu_blocks}, the null block included
 * @param layout what a block is
 * @param explanation one sentence for a person: the arithmetic or the place it was read
 */
public record KvCapacity(CapacitySource source, int numGpuBlocks, KvLayout layout, String explanation) {
    /** Most usable blocks of a replica: a pool of {@link Integer#MAX_VALUE} blocks stands for one without limit. */
    public static final int MOST_USABLE_BLOCKS = Integer.MAX_VALUE - 2;

    public KvCapacity {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(explanation, "explanation");
        if (numGpuBlocks < 2) {
            throw new IllegalArgumentException(
                    "a KV cache has the null block and at least one more, found " + numGpuBlocks);
        }
    }

    /** What the engine said in its metrics or log, for a model whose layout is not known. */
    public static KvCapacity reported(int numGpuBlocks, int blockSize) {
        return reported(numGpuBlocks, KvLayout.ofBlockSize(blockSize));
    }

    /** What the engine said, for a model whose layout is known; the block size the engine said has to be the layout's. */
    public static KvCapacity reported(int numGpuBlocks, KvLayout layout) {
        return new KvCapacity(
                CapacitySource.REPORTED,
                numGpuBlocks,
                layout,
                numGpuBlocks + " blocks of " + layout.blockSize() + " tokens, reported by the engine");
    }

    /** What a person said: usable tokens of full attention, rounded down to blocks. */
    public static KvCapacity given(long usableTokens, int blockSize) {
        return new KvCapacity(
                CapacitySource.GIVEN,
                blocks(usableTokens, blockSize) + 1,
                KvLayout.ofBlockSize(blockSize),
                usableTokens + " tokens, given");
    }

    /**
     * Usable blocks that hold so many tokens of full attention, rounded down.
     *
     * @throws UserError if that is none, or more than {@link #MOST_USABLE_BLOCKS}
     */
    public static int blocks(long usableTokens, int blockSize) {
        long blocks = usableTokens / blockSize;
        if (blocks < 1 || blocks > MOST_USABLE_BLOCKS) {
            throw new UserError("a cache has 1 to " + MOST_USABLE_BLOCKS + " blocks: " + usableTokens + " tokens are "
                    + blocks + " of " + blockSize + " tokens");
        }
        return (int) blocks;
    }

    public int blockSize() {
        return layout.blockSize();
    }

    /** Blocks that requests can use: all but the null block. */
    public int usableBlocks() {
        return numGpuBlocks - 1;
    }

    /**
     * Tokens of full attention that the usable blocks hold. For a hybrid this is what one very long context could take if
     * its windows and states cost nothing: use {@link #tokensInContextsOf}.
     */
    public long usableTokens() {
        return (long) usableBlocks() * blockSize();
    }

    /** Tokens in contexts of this length that the usable blocks hold at the same time, rounded down. */
    public long tokensInContextsOf(long contextTokens, int maxNumBatchedTokens) {
        return (long)
                (usableBlocks() / (double) layout.blocksPerRequest(contextTokens, maxNumBatchedTokens) * contextTokens);
    }

    /** Blocks that a request with a context of this length holds at most. */
    public long blocksPerRequest(long contextTokens, int maxNumBatchedTokens) {
        return layout.blocksPerRequest(contextTokens, maxNumBatchedTokens);
    }

    /** The log's "Maximum concurrency for L tokens per request": requests of {@code max_model_len} that fit. */
    public double concurrency(int maxModelLen, int maxNumBatchedTokens) {
        return numGpuBlocks / (double) layout.blocksPerRequest(maxModelLen, maxNumBatchedTokens);
    }

    /** The log's "GPU KV cache size: N tokens", by the rule of the engine's version. */
    public long loggedTokens(int maxModelLen, int maxNumBatchedTokens, TokenCountRule rule) {
        return rule.tokens(this, maxModelLen, maxNumBatchedTokens);
    }

    /** How the engine turns blocks into the tokens it logs. */
    public enum TokenCountRule {
        /** Since vLLM#41069 (2026-04-28, 0.21): as many requests of {@code max_model_len} as fit, in tokens. */
        BY_CONTEXT {
            @Override
            long tokens(KvCapacity capacity, int maxModelLen, int maxNumBatchedTokens) {
                return (long) (capacity.concurrency(maxModelLen, maxNumBatchedTokens) * maxModelLen);
            }
        },
        /** Before: the blocks that each group would have if the groups shared evenly. */
        BY_GROUP {
            @Override
            long tokens(KvCapacity capacity, int maxModelLen, int maxNumBatchedTokens) {
                return (long) capacity.numGpuBlocks / capacity.layout.groups().size() * capacity.blockSize();
            }
        };

        abstract long tokens(KvCapacity capacity, int maxModelLen, int maxNumBatchedTokens);

        public static TokenCountRule of(VllmVersion version) {
            return version.atLeast(0, 21, 0) ? BY_CONTEXT : BY_GROUP;
        }
    }
}
