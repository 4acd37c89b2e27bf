package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.ChainRuns;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What one prefix cache of any size would have hit on a trace, exactly and in one pass: the miss-ratio curve of LRU by stack
 * distances.
 *
 * <p>It counts as vLLM does: only full blocks are cached, a hit is at most {@code floor((L - 1) / blockSize)} blocks of a
 * prompt of L tokens, and requests are served one after another. Requests that overlap in time hold blocks and wait for
 * them, which this leaves out: it is an upper bound near the knee, and the simulation is the answer there.
 *
 * <p>Memory grows with the distinct content, not with the length of the trace, but for eight bytes per distinct partial
 * block at a prompt's end. Not for use by several threads.
 */
public final class ReuseDistance {
    /** Capacities of a curve double every {@value} points. */
    private static final int POINTS_PER_DOUBLING = 4;

    private static final int DOUBLINGS = 12;

    private final int blockSize;
    private final ChainInterner interner;
    private final ChainRuns blocks = new ChainRuns();
    private final BlockStack stack = new BlockStack();
    private final LongOpenHashSet partialBlocks = new LongOpenHashSet();
    private long requests;
    private long promptTokens;
    private long references;
    private long now;

    /** @param blockSize tokens a block, at least 1 */
    public ReuseDistance(int blockSize) {
        this.blockSize = blockSize;
        this.interner = new ChainInterner(blockSize);
    }

    /** Serves one request, at the time of the last one. */
    public void add(Prompt prompt) {
        add(prompt, now);
    }

    /**
     * Serves one request.
     *
     * @param nanos when; a time before the last request's counts as that one's
     */
    public void add(Prompt prompt, long nanos) {
        now = Math.max(now, nanos);
        int tokens = prompt.tokens();
        interner.intern(prompt, blocks);
        stack.touch(blocks, (tokens - 1) / blockSize, now);
        requests++;
        promptTokens += tokens;
        references += Math.ceilDiv(tokens, blockSize);
        if (tokens % blockSize != 0) {
            partialBlocks.add(partialBlock(prompt));
        }
    }

    public long requests() {
        return requests;
    }

    public long promptTokens() {
        return promptTokens;
    }

    /** Blocks that the prompts consist of, partial last ones included. */
    public long blockReferences() {
        return references;
    }

    /** Different full blocks referred to later than a moment: the working set of the time since then. */
    int blocksSince(long nanos) {
        return stack.touchedAfter(nanos);
    }

    /** Different ones among them. A partial block is told from others by a 64-bit hash. */
    public long distinctBlocks() {
        return interner.size() + partialBlocks.size();
    }

    /** Hit ratio in percent with a cache of this many tokens; only whole blocks count. */
    public double hitPct(long capacityTokens) {
        return hitPct(new long[] {capacityTokens / blockSize})[0];
    }

    /** Hit ratio in percent with a cache without limit. */
    public double unlimitedHitPct() {
        return hitPct(new long[] {Long.MAX_VALUE})[0];
    }

    /**
     * Returns the curve at growing capacities, four to a doubling, up to the one that holds everything.
     *
     * @param at further capacities in tokens to show; the last point, which is without limit, is at least the largest
     */
    public ReuseCurve curve(List<Long> at) {
        long everything = Math.max(1, distinctBlocks()) * blockSize;
        long[] tokens = LongStream.concat(
                        at.stream().mapToLong(Long::longValue),
                        LongStream.rangeClosed(1, (long) POINTS_PER_DOUBLING * DOUBLINGS)
                                .map(i -> steps(everything, i)))
                .filter(t -> t >= blockSize && t < everything || at.contains(t))
                .sorted()
                .distinct()
                .toArray();
        long largest = tokens.length == 0 ? everything : Math.max(everything, tokens[tokens.length - 1]);
        double[] hits = hitPct(Arrays.stream(tokens).map(t -> t / blockSize).toArray());
        List<ReuseCurve.Point> points = new ArrayList<>();
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] < largest) {
                points.add(new ReuseCurve.Point(tokens[i], hits[i]));
            }
        }
        points.add(new ReuseCurve.Point(largest, unlimitedHitPct()));
        return new ReuseCurve(references, distinctBlocks(), points);
    }

    /** A capacity {@code i} quarters of a doubling below everything, in whole blocks. */
    private long steps(long everything, long i) {
        return (long) (everything / Math.pow(2, (double) i / POINTS_PER_DOUBLING)) / blockSize * blockSize;
    }

    private double[] hitPct(long[] capacityBlocks) {
        long[] hits = stack.touchesWithin(capacityBlocks);
        return Arrays.stream(hits)
                .mapToDouble(h -> promptTokens == 0 ? 0 : 100.0 * h * blockSize / promptTokens)
                .toArray();
    }

    /** Identity of the tokens after the last full block, together with everything before them. */
    private long partialBlock(Prompt prompt) {
        int full = blocks.blocks();
        long hash = full == 0 ? -1 : blocks.id(full - 1);
        int skip = full * blockSize;
        for (int i = 0; i < prompt.spans(); i++) {
            int length = prompt.length(i);
            if (skip < length) {
                hash = mix(mix(hash, prompt.start(i) + skip), length - skip);
            }
            skip = Math.max(0, skip - length);
        }
        return hash;
    }

    private static long mix(long hash, long value) {
        long h = (hash ^ value) * 0x9E3779B97F4A7C15L;
        h = (h ^ (h >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (h ^ (h >>> 32)) + value;
    }
}
