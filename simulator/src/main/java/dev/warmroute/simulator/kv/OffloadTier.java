package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;

/**
 * The second cache in host memory behind a replica's KV cache ({@code --kv-offloading-size}, native backend). Its size is
 * for the whole replica, so a block costs its bytes on every rank; it may be cut into larger blocks than the GPU's.
 *
 * @param blocks blocks that fit
 * @param blockSize tokens in one of its blocks
 * @param bytesPerBlock bytes of one of its blocks, over all ranks
 */
public record OffloadTier(int blocks, int blockSize, long bytesPerBlock) {
    private static final double GIB = 1L << 30;

    public OffloadTier {
        if (blocks < 0 || blockSize < 1 || bytesPerBlock < 1) {
            throw new IllegalArgumentException(
                    "offload tier: " + blocks + " blocks of " + blockSize + " tokens and " + bytesPerBlock + " bytes");
        }
    }

    /**
     * Sizes the tier.
     *
     * @param layout the replica's layout; its bytes must be known
     * @param tensorParallel ranks of the replica
     * @param gib host memory for the replica, all ranks together
     * @param gpuBlocksPerBlock GPU blocks in one of its blocks, vLLM's block size factor, usually 1
     */
    public static OffloadTier of(KvLayout layout, int tensorParallel, double gib, int gpuBlocksPerBlock) {
        if (!layout.hasBytes()) {
            throw new UserError("an offload tier needs the bytes of a block: say which model it is");
        }
        if (!(gib >= 0) || tensorParallel < 1 || gpuBlocksPerBlock < 1) {
            throw new IllegalArgumentException(
                    "offload tier: " + gib + " GiB, " + tensorParallel + " ranks, factor " + gpuBlocksPerBlock);
        }
        long bytes = layout.bytesPerBlock() * tensorParallel * gpuBlocksPerBlock;
        int blocks = Math.toIntExact((long) (gib * GIB) / bytes);
        return new OffloadTier(blocks, layout.blockSize() * gpuBlocksPerBlock, bytes);
    }

    /** Tokens of full attention that it holds. */
    public long tokens() {
        return (long) blocks * blockSize;
    }
}
