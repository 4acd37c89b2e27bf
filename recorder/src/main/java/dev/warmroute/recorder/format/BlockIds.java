package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;

/**
 * Cuts prompts into blocks and gives the blocks ids that, like those of public traces, stand for the block and everything
 * before it. Where the source has block ids of a size that the blocks divide, its ids are kept (times the number of blocks in
 * one of its); else blocks are numbered in the order in which they first appear, and equal numbers are equal prefixes up to a
 * collision of 64-bit hashes. Memory grows with the distinct blocks when they are numbered.
 */
final class BlockIds {
    private final int blockSize;
    private final boolean keep;
    private final long first;
    private final long base;
    private final LongIds known = new LongIds();
    private long tails;

    private BlockIds(int blockSize, boolean keep, long first, long base) {
        this.blockSize = blockSize;
        this.keep = keep;
        this.first = first;
        this.base = base;
    }

    /** Ids that mean the same in the whole trace. */
    static BlockIds global(TraceDescription source, int blockSize) {
        return new BlockIds(
                blockSize, source.prefixes() == Prefixes.BLOCKS && source.blockSize() % blockSize == 0, 0, 0);
    }

    /**
     * Ids that mean something within one session only.
     *
     * @param keepAbove token number from which the session's ids count, if the source has such ids of this size; else -1
     * @param first the first id given, when blocks are numbered
     */
    static BlockIds local(int blockSize, long keepAbove, long first) {
        return new BlockIds(blockSize, keepAbove >= 0, first, Math.max(0, keepAbove));
    }

    /** Ids of the full blocks. */
    long[] full(Prompt prompt) {
        return ids(prompt, prompt.tokens() / blockSize);
    }

    /** Ids of all blocks, the last one partial. */
    long[] all(Prompt prompt) {
        return ids(prompt, Math.ceilDiv(prompt.tokens(), blockSize));
    }

    private long[] ids(Prompt prompt, int blocks) {
        long[] ids = new long[blocks];
        long chain = 0;
        int span = 0;
        int inSpan = 0;
        for (int i = 0; i < blocks; i++) {
            int left = Math.min(blockSize, prompt.tokens() - i * blockSize);
            ids[i] = keep ? kept(prompt.start(span) + inSpan) : 0;
            while (left > 0) {
                int step = Math.min(left, prompt.length(span) - inSpan);
                chain = mix(mix(chain, prompt.start(span) + inSpan), step);
                left -= step;
                inSpan += step;
                if (inSpan == prompt.length(span)) {
                    span++;
                    inSpan = 0;
                }
            }
            if (!keep) {
                ids[i] = first + known.id(chain);
            }
        }
        return ids;
    }

    /** The source's id of a block; what is behind the last block of a prompt has none, and gets one that no block has. */
    private long kept(long start) {
        return BlockSizes.isOfBlock(start) ? (start - base) / blockSize : BlockSizes.last(blockSize) - tails++;
    }

    /** Finaliser of SplitMix64 over both. */
    private static long mix(long chain, long value) {
        long z = chain * 31 + value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
