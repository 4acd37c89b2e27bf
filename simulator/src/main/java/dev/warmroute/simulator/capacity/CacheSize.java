package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import java.util.Objects;

/**
 * The KV cache of a fleet of equal replicas.
 *
 * @param replicas number of replicas
 * @param usableBlocks blocks of one replica, the null block not counted
 * @param blockSize tokens a block
 * @param source where the figure comes from: {@code reported} by the engine, {@code derived} or {@code given}
 */
public record CacheSize(int replicas, int usableBlocks, int blockSize, String source) {
    public CacheSize {
        Objects.requireNonNull(source, "source");
        if (replicas < 1 || usableBlocks < 1 || blockSize < 1) {
            throw new UserError("a fleet needs at least one replica, block and token a block, not " + replicas + " replicas of "
                    + usableBlocks + " x " + blockSize + " tokens");
        }
    }

    /** A cache of so many tokens a replica, in whole blocks. */
    public static CacheSize ofTokens(int replicas, long tokens, int blockSize, String source) {
        return new CacheSize(replicas, Math.toIntExact(tokens / blockSize), blockSize, source);
    }

    /** Tokens of one replica. */
    public long tokens() {
        return (long) usableBlocks * blockSize;
    }
}
