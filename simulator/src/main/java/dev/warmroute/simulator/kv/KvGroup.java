package dev.warmroute.simulator.kv;

/**
 * One KV cache group: layers that share a block table. All groups of a replica draw blocks of the same size in bytes from
 * one pool.
 */
public sealed interface KvGroup {

    /**
     * Returns the blocks that one request holds in this group at most, while its context is {@code tokens} long.
     *
     * @param tokens context of the request
     * @param blockSize tokens in a block
     * @param maxNumBatchedTokens token budget of an engine step
     */
    long blocksPerRequest(long tokens, int blockSize, int maxNumBatchedTokens);

    /** Returns the blocks that must survive for a request with the same first {@code tokens} tokens to hit all it can. */
    long blocksForReuse(long tokens, int blockSize);

    /** Returns the blocks that a prompt of {@code tokens} tokens takes one after another while it is computed from its beginning. */
    default long blocksPassed(long tokens, int blockSize) {
        return Math.ceilDiv(tokens, blockSize);
    }

    /** Layers that attend to the whole context. */
    record Full() implements KvGroup {
        @Override
        public long blocksPerRequest(long tokens, int blockSize, int maxNumBatchedTokens) {
            return Math.ceilDiv(tokens, blockSize);
        }

        @Override
        public long blocksForReuse(long tokens, int blockSize) {
            return tokens / blockSize;
        }
    }

    /**
     * Layers that attend to the last {@code window} tokens. While a prompt is read, the window before the chunk and the chunk
     * itself are held, and one block more because a window may start inside a block.
     */
    record SlidingWindow(int window) implements KvGroup {
        @Override
        public long blocksPerRequest(long tokens, int blockSize, int maxNumBatchedTokens) {
            long held = Math.min(window - 1L + maxNumBatchedTokens, tokens);
            return Math.ceilDiv(held, blockSize) + 1;
        }

        @Override
        public long blocksForReuse(long tokens, int blockSize) {
            return Math.min(tokens / blockSize, Math.ceilDiv(window - 1L, blockSize));
        }
    }

    /**
     * Layers with a recurrent state, one block each whatever the context.
     *
     * @param blocks states that a request holds: the running one, one more when states are cached at block boundaries, and
     *     one for each speculative token
     */
    record State(int blocks) implements KvGroup {
        @Override
        public long blocksPerRequest(long tokens, int blockSize, int maxNumBatchedTokens) {
            return blocks;
        }

        @Override
        public long blocksForReuse(long tokens, int blockSize) {
            return tokens < blockSize ? 0 : 1;
        }

        @Override
        public long blocksPassed(long tokens, int blockSize) {
            return blocks;
        }
    }
}
