package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.DerivedCapacity;
import dev.warmroute.simulator.kv.KvCapacity;
import dev.warmroute.simulator.kv.KvLayout;
import dev.warmroute.simulator.replay.FleetSpec;
import java.util.Objects;

/**
 * The KV cache of a fleet of equal replicas.
 *
 * @param replicas number of replicas
 * @param usableBlocks blocks of one replica, the null block not counted
 * @param layout what a block is, and which blocks a context takes
 * @param source where the figure comes from: {@code reported} by the engine, {@code derived} or {@code given}
 * @param lowBlocks the least that it may be, when it was derived; else {@code usableBlocks}
 * @param highBlocks the most that it may be
 * @param explanation the arithmetic, or who said it, in one sentence; may be empty
 */
public record CacheSize(
        int replicas,
        int usableBlocks,
        KvLayout layout,
        String source,
        int lowBlocks,
        int highBlocks,
        String explanation) {
    public CacheSize {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(explanation, "explanation");
        if (replicas < 1 || usableBlocks < 1) {
            throw new UserError("a fleet needs at least one replica, block and token a block, not " + replicas
                    + " replicas of " + usableBlocks + " x " + layout.blockSize() + " tokens");
        }
        if (replicas > FleetSpec.MOST_REPLICAS) {
            throw new UserError("a fleet has at most " + FleetSpec.MOST_REPLICAS + " replicas, not " + replicas);
        }
        if (lowBlocks > usableBlocks || highBlocks < usableBlocks) {
            throw new IllegalArgumentException(
                    usableBlocks + " blocks are not within " + lowBlocks + " to " + highBlocks);
        }
    }

    /** A cache of full attention only. */
    public CacheSize(int replicas, int usableBlocks, int blockSize, String source) {
        this(
                replicas,
                usableBlocks,
                layoutOf(replicas, usableBlocks, blockSize),
                source,
                usableBlocks,
                usableBlocks,
                "");
    }

    private static KvLayout layoutOf(int replicas, int usableBlocks, int blockSize) {
        if (blockSize < 1) {
            throw new UserError("a fleet needs at least one replica, block and token a block, not " + replicas
                    + " replicas of " + usableBlocks + " x " + blockSize + " tokens");
        }
        return KvLayout.ofBlockSize(blockSize);
    }

    /** A cache of so many tokens a replica, in whole blocks. */
    public static CacheSize ofTokens(int replicas, long tokens, int blockSize, String source) {
        return new CacheSize(replicas, KvCapacity.blocks(tokens, blockSize), blockSize, source);
    }

    /** What was worked out, with the range it leaves. */
    public static CacheSize of(int replicas, DerivedCapacity derived) {
        KvCapacity likely = derived.likely();
        return new CacheSize(
                replicas,
                likely.usableBlocks(),
                likely.layout(),
                likely.source().wireName(),
                derived.low().usableBlocks(),
                derived.high().usableBlocks(),
                likely.explanation());
    }

    public CacheSize withExplanation(String sentence) {
        return new CacheSize(replicas, usableBlocks, layout, source, lowBlocks, highBlocks, sentence);
    }

    /** The same caches in another number of replicas. */
    public CacheSize withReplicas(int number) {
        return new CacheSize(number, usableBlocks, layout, source, lowBlocks, highBlocks, explanation);
    }

    /** Caches so many times as large, as somebody said. */
    CacheSize times(double factor, String otherSource) {
        int blocks = Math.clamp(Math.round(usableBlocks * factor), 1, KvCapacity.MOST_USABLE_BLOCKS);
        return new CacheSize(replicas, blocks, layout, otherSource, blocks, blocks, explanation);
    }

    /** Blocks of the same size under another layout, such as a given number of blocks of a hybrid model. */
    public CacheSize withLayout(KvLayout other) {
        return new CacheSize(replicas, usableBlocks, other, source, lowBlocks, highBlocks, explanation);
    }

    public int blockSize() {
        return layout.blockSize();
    }

    /** Tokens of full attention that the blocks of one replica hold. */
    public long tokens() {
        return (long) usableBlocks * blockSize();
    }
}
