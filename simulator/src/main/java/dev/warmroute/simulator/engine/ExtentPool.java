package dev.warmroute.simulator.engine;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/**
 * A block pool that counts blocks in <em>extents</em> instead of touching each: what {@link BlockPool} does, for one
 * group of full attention, in time proportional to branches of the prefix tree instead of blocks.
 *
 * <p>An extent is a stretch of consecutive chain ids, each cached in a block, all held by the same requests. It works
 * since full attention uses blocks as prefixes only: requests touch the first so many blocks of a stretch, blocks are
 * freed deepest first, and the queue therefore hands them out deepest first. The identity of a block is nowhere
 * visible; what counts is how many there are, what is cached, and in which order it goes.
 *
 * <ul>
 *   <li>The free queue is a list of extents, each read from its deep end. A <em>blank</em> extent stands for free
 *       blocks in which nothing is cached.
 *   <li>Content that is cached twice is a <em>stack</em> of extents over the same ids, oldest first; a look-up finds
 *       the oldest. All extents of a stack begin and end together, so that stacks never overlap, and each is found by
 *       its first id alone: whoever walks a chain from its root comes upon every stack at its beginning.
 *   <li>A request that uses part of an extent splits the stack there. Whoever holds the whole finds the other part
 *       through {@code rest}.
 * </ul>
 */
class ExtentPool {
    /** Stands at both ends of the queue; no extent is known by it. */
    private static final int NONE = 0;

    /** Stands for the chain ids of an extent in which nothing is cached. */
    private static final int BLANK = -1;

    // An extent is eight ints side by side; it is known by the position of the first.
    private static final int FIRST = 0; // first chain id, or BLANK
    private static final int LENGTH = 1; // blocks
    private static final int HOLDERS = 2; // requests that hold all of it
    private static final int REST = 3; // what was split off its deep end last
    private static final int OLDER = 4; // neighbours in the stack
    private static final int YOUNGER = 5; // and, of one that is not in use, the next such
    private static final int NEXT = 6; // neighbours in the free queue
    private static final int PREVIOUS = 7;
    private static final int WIDTH = 8;

    private final int capacity;
    private final boolean unhashedFirst;

    private int[] x = new int[64 * WIDTH];
    private int end = WIDTH; // position after the last extent that was ever in use
    private int unused = NONE; // first of those to be used again

    /** First chain id -> oldest extent of the stack that begins there. */
    private final Int2IntOpenHashMap stacks = new Int2IntOpenHashMap();

    private final Marks starts = new Marks(); // the keys of stacks

    private int free;
    private int distinct;
    private long evicted;

    /**
     * @param capacity usable blocks
     * @param unhashedFirst whether freed blocks without content are reused before all others
     */
    ExtentPool(int capacity, boolean unhashedFirst) {
        this.capacity = capacity;
        this.unhashedFirst = unhashedFirst;
        reset();
    }

    int free() {
        return free;
    }

    int used() {
        return capacity - free;
    }

    int distinct() {
        return distinct;
    }

    long evicted() {
        return evicted;
    }

    /** Returns the oldest extent that begins with a chain id, 0 if the id is not cached. */
    int find(int chainId) {
        return starts.has(chainId) ? stacks.get(chainId) : NONE;
    }

    int length(int extent) {
        return x[extent + LENGTH];
    }

    boolean isFree(int extent) {
        return x[extent + HOLDERS] == 0;
    }

    /** Part of what was one extent when it was taken that follows {@code extent}. */
    int rest(int extent) {
        return x[extent + REST];
    }

    /** Holds the first {@code blocks} blocks of a cached extent once more. */
    void touch(int extent, int blocks) {
        if (blocks < x[extent + LENGTH]) {
            split(extent, blocks);
        }
        if (x[extent + HOLDERS]++ == 0) {
            unlink(extent);
            free -= blocks;
        }
    }

    /**
     * Takes blocks from the head of the free queue; what was cached in them is evicted.
     *
     * @throws IllegalStateException if there are fewer: whoever asks has not counted what it needs
     */
    void allocate(int blocks) {
        if (blocks > free) {
            throw new IllegalStateException(blocks + " blocks asked for, " + free + " of " + capacity + " free");
        }
        free -= blocks;
        int left = blocks;
        while (left > 0) {
            int head = x[NONE + NEXT];
            int taken = Math.min(left, x[head + LENGTH]);
            left -= taken;
            if (x[head + FIRST] != BLANK) {
                head = forget(head, taken);
            }
            x[head + LENGTH] -= taken;
            if (x[head + LENGTH] == 0) {
                unlink(head);
                recycle(head);
            }
        }
    }

    /** How many of {@code blocks} consecutive chain ids one extent can take: up to where a stack begins or ends. */
    int registrable(int chainId, int blocks) {
        return starts.has(chainId) ? Math.min(blocks, x[stacks.get(chainId) + LENGTH]) : starts.gap(chainId, blocks);
    }

    /**
     * Caches blocks held by one request under consecutive chain ids, as an extent that follows the request's last one.
     *
     * @param last the request's last extent, 0 if it has none
     * @param blocks as many as are {@link #registrable}, or fewer
     * @return the extent; {@code last} itself if that one grew
     */
    int register(int last, int chainId, int blocks) {
        int oldest = find(chainId);
        if (oldest != NONE) {
            if (blocks < x[oldest + LENGTH]) {
                split(oldest, blocks);
            }
            int copy = extent(chainId, blocks);
            x[copy + HOLDERS] = 1;
            stack(youngest(oldest), copy);
            return copy;
        }
        distinct += blocks;
        boolean continues = last != NONE && x[last + FIRST] + x[last + LENGTH] == chainId;
        if (continues && x[last + HOLDERS] == 1 && isAlone(last)) {
            x[last + LENGTH] += blocks;
            return last;
        }
        int added = extent(chainId, blocks);
        x[added + HOLDERS] = 1;
        putStack(added);
        return added;
    }

    /** Lets go of an extent; when nobody else holds it, it joins the tail of the free queue. */
    void release(int extent) {
        if (--x[extent + HOLDERS] == 0) {
            free += x[extent + LENGTH];
            link(extent, x[NONE + PREVIOUS], NONE);
        }
    }

    /** Frees blocks in which nothing is cached. */
    void releaseBlank(int blocks) {
        free += blocks;
        int neighbour = unhashedFirst ? x[NONE + NEXT] : x[NONE + PREVIOUS];
        if (neighbour != NONE && x[neighbour + FIRST] == BLANK) {
            x[neighbour + LENGTH] += blocks;
        } else if (blocks > 0) {
            int blank = extent(BLANK, blocks);
            if (unhashedFirst) {
                link(blank, NONE, x[NONE + NEXT]);
            } else {
                link(blank, x[NONE + PREVIOUS], NONE);
            }
        }
    }

    /** Forgets everything cached. All blocks must be free. */
    void reset() {
        stacks.clear();
        starts.clearAll();
        end = WIDTH;
        unused = NONE;
        x[NONE + NEXT] = NONE;
        x[NONE + PREVIOUS] = NONE;
        distinct = 0;
        free = 0;
        releaseBlank(capacity);
    }

    /**
     * Drops the deepest blocks of a free extent from the cache.
     *
     * @return the extent whose last blocks they are: the one given, or what was split off it
     */
    private int forget(int extent, int blocks) {
        evicted += blocks;
        if (isAlone(extent)) {
            distinct -= blocks;
            if (blocks == x[extent + LENGTH]) {
                removeStack(x[extent + FIRST]);
            }
            return extent;
        }
        // Others hold the same content: only the part that goes leaves the stack.
        int deep = extent;
        if (blocks < x[extent + LENGTH]) {
            split(stacks.get(x[extent + FIRST]), x[extent + LENGTH] - blocks);
            deep = x[extent + REST];
        }
        if (x[deep + OLDER] == NONE) {
            stacks.put(x[deep + FIRST], x[deep + YOUNGER]);
        } else {
            x[x[deep + OLDER] + YOUNGER] = x[deep + YOUNGER];
        }
        if (x[deep + YOUNGER] != NONE) {
            x[x[deep + YOUNGER] + OLDER] = x[deep + OLDER];
        }
        return deep;
    }

    /** Whether no other extent caches the same content. */
    private boolean isAlone(int extent) {
        return x[extent + YOUNGER] == NONE && x[extent + OLDER] == NONE;
    }

    private void stack(int under, int extent) {
        x[under + YOUNGER] = extent;
        x[extent + OLDER] = under;
    }

    private int youngest(int oldest) {
        int e = oldest;
        while (x[e + YOUNGER] != NONE) {
            e = x[e + YOUNGER];
        }
        return e;
    }

    private void putStack(int oldest) {
        stacks.put(x[oldest + FIRST], oldest);
        starts.set(x[oldest + FIRST]);
    }

    private void removeStack(int chainId) {
        stacks.remove(chainId);
        starts.clear(chainId);
    }

    /** Splits a stack, given by its oldest extent, so that its first part is {@code blocks} long. */
    private void split(int oldest, int blocks) {
        int above = NONE;
        for (int e = oldest; e != NONE; e = x[e + YOUNGER]) {
            int deep = extent(x[e + FIRST] + blocks, x[e + LENGTH] - blocks);
            x[deep + HOLDERS] = x[e + HOLDERS];
            x[e + LENGTH] = blocks;
            x[deep + REST] = x[e + REST];
            x[e + REST] = deep;
            if (x[e + HOLDERS] == 0) {
                link(deep, x[e + PREVIOUS], e); // read before the part nearer the root
            }
            if (above == NONE) {
                putStack(deep);
            } else {
                stack(above, deep);
            }
            above = deep;
        }
    }

    private int extent(int firstId, int blocks) {
        int e = unused;
        if (e != NONE) {
            unused = x[e + YOUNGER];
        } else {
            e = end;
            end += WIDTH;
            if (end > x.length) {
                x = Arrays.copyOf(x, Math.multiplyExact(x.length, 2));
            }
        }
        x[e + FIRST] = firstId;
        x[e + LENGTH] = blocks;
        x[e + HOLDERS] = 0;
        x[e + REST] = NONE;
        x[e + OLDER] = NONE;
        x[e + YOUNGER] = NONE;
        return e;
    }

    private void recycle(int e) {
        x[e + YOUNGER] = unused;
        unused = e;
    }

    private void link(int e, int before, int after) {
        x[before + NEXT] = e;
        x[e + PREVIOUS] = before;
        x[e + NEXT] = after;
        x[after + PREVIOUS] = e;
    }

    private void unlink(int e) {
        x[x[e + PREVIOUS] + NEXT] = x[e + NEXT];
        x[x[e + NEXT] + PREVIOUS] = x[e + PREVIOUS];
    }
}
