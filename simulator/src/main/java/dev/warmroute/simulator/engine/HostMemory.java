package dev.warmroute.simulator.engine;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.OffloadTier;

/**
 * Host memory as a second cache behind a replica's KV cache: vLLM's native offloading connector
 * ({@code --kv-offloading-size}).
 *
 * @param blocks KV blocks that it holds
 * @param transferNanos time that every transfer takes besides its blocks
 * @param loadNanosPerBlock time to bring one block to the card
 * @param storeNanosPerBlock time to bring one block to the host
 */
public record HostMemory(int blocks, long transferNanos, long loadNanosPerBlock, long storeNanosPerBlock) {
    public HostMemory {
        if (blocks < 1) {
            throw new UserError("the host memory holds no block: give it more than one block's bytes");
        }
        if (transferNanos < 0 || loadNanosPerBlock < 0 || storeNanosPerBlock < 0) {
            throw new IllegalArgumentException("transfers do not take negative time: " + transferNanos + ", "
                    + loadNanosPerBlock + ", " + storeNanosPerBlock + " ns");
        }
    }

    /**
     * A tier over links of so many bytes a second in each direction, all of a replica's cards together.
     *
     * @param bytesPerSecond above 0
     */
    public static HostMemory of(OffloadTier tier, double bytesPerSecond) {
        if (!(bytesPerSecond > 0)) {
            throw new UserError("the bandwidth to the host must be above 0, not " + bytesPerSecond + " bytes a second");
        }
        long nanos = Math.round(tier.bytesPerBlock() / bytesPerSecond * 1e9);
        return new HostMemory(tier.blocks(), 0, nanos, nanos);
    }
}
