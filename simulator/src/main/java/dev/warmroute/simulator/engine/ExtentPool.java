package dev.warmroute.simulator.engine;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/**
 * A block pool that counts blocks in <em>extents</em> instead of touching each: what {@link BlockPool} does, for one group of
 * full attention, in time proportional to branches of the prefix tree instead of blocks.
 *
 * <p>An extent is a stretch of consecutive chain ids, each cached in a block, all held by the same requests. It works since
 * full attention uses blocks as prefixes only: requests touch the first so many blocks of a stretch, blocks are freed
 * deepest first, and the queue therefore hands them out deepest first. The identity of a block is nowhere visible; what
 * counts is how many there are, what is cached, and in which order it goes.
 *
 * <ul>
 *   <li>The free queue is a list of extents, each read from its deep end. A <em>blank</em> extent stands for free blocks in which
 *       nothing is cached.
 *   <li>Content that is cached twice is a <em>stack</em> of extents over the same ids, oldest first; a look-up finds the
 *       oldest. All extents of a stack begin and end together, so that stacks never overlap, and each is found by its first
 *       id alone: whoever walks a chain from its root comes upon every stack at its beginning.
 *   <li>A request that uses part of an extent splits the stack there. Whoever holds the whole finds the other part through
 *       {@code rest}.
 * </ul>
 */
final class ExtentPool {
    /** Stands at both ends of the queue; no extent has this number. */
    private static final int NONE = 0;

    private static final int BLANK = -1;

    private final int capacity;
    private final boolean unhashedFirst;

    private int[] first = new int[64]; // first chain id, or BLANK
    private int[] length = new int[64]; // blocks
    private int[] holders = new int[64]; // requests that hold all of it
    private int[] rest = new int[64]; // what was split off its deep end last
    private int[] younger = new int[64]; // next extent of the stack; next unused number
    private int[] next = new int[64]; // in the free queue
    private int[] previous = new int[64];
    private int numbers = 1; // extents handed out so far
    private int unused = NONE; // head of the list of numbers to use again

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

    /** Number of extents in use; for measurements. */
    int extents() {
        int count = numbers - 1;
        for (int e = unused; e != NONE; e = younger[e]) {
            count--;
        }
        return count;
    }

    /** Returns the oldest extent that begins with a chain id, 0 if the id is not cached. */
    int find(int chainId) {
        return stacks.get(chainId);
    }

    int length(int extent) {
        return length[extent];
    }

    boolean isFree(int extent) {
        return holders[extent] == 0;
    }

    /** Part of what was one extent when it was taken that follows {@code extent}. */
    int rest(int extent) {
        return rest[extent];
    }

    /** Holds the first {@code blocks} blocks of a cached extent once more. */
    void touch(int extent, int blocks) {
        if (blocks < length[extent]) {
            split(extent, blocks);
        }
        if (holders[extent]++ == 0) {
            unlink(extent);
            free -= blocks;
        }
    }

    /** Takes blocks from the head of the free queue; what was cached in them is evicted. There must be as many. */
    void allocate(int blocks) {
        free -= blocks;
        int left = blocks;
        while (left > 0) {
            int head = next[NONE];
            int taken = Math.min(left, length[head]);
            left -= taken;
            if (first[head] != BLANK) {
                head = forget(head, taken);
            }
            length[head] -= taken;
            if (length[head] == 0) {
                unlink(head);
                recycle(head);
            }
        }
    }

    /** How many of {@code blocks} consecutive chain ids one extent can take: up to where a stack begins or ends. */
    int registrable(int chainId, int blocks) {
        int oldest = find(chainId);
        return oldest != NONE ? Math.min(blocks, length[oldest]) : starts.gap(chainId, blocks);
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
        if (oldest == NONE) {
            distinct += blocks;
            boolean grows = last != NONE && first[last] + length[last] == chainId && holders[last] == 1 && isAlone(last);
            if (grows) {
                length[last] += blocks;
                return last;
            }
        } else if (blocks < length[oldest]) {
            split(oldest, blocks);
        }
        int added = extent(chainId, blocks);
        holders[added] = 1;
        if (oldest == NONE) {
            putStack(added);
        } else {
            younger[youngest(oldest)] = added;
        }
        return added;
    }

    /** Lets go of an extent; when nobody else holds it, it joins the tail of the free queue. */
    void release(int extent) {
        if (--holders[extent] == 0) {
            free += length[extent];
            link(extent, previous[NONE], NONE);
        }
    }

    /** Frees blocks in which nothing is cached. */
    void releaseBlank(int blocks) {
        free += blocks;
        int neighbour = unhashedFirst ? next[NONE] : previous[NONE];
        if (neighbour != NONE && first[neighbour] == BLANK) {
            length[neighbour] += blocks;
        } else if (blocks > 0) {
            int blank = extent(BLANK, blocks);
            if (unhashedFirst) {
                link(blank, NONE, next[NONE]);
            } else {
                link(blank, previous[NONE], NONE);
            }
        }
    }

    /** Forgets everything cached. All blocks must be free. */
    void reset() {
        stacks.clear();
        starts.clearAll();
        numbers = 1;
        unused = NONE;
        next[NONE] = NONE;
        previous[NONE] = NONE;
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
            if (blocks == length[extent]) {
                removeStack(first[extent]);
            }
            return extent;
        }
        // Others hold the same content: only the part that goes leaves the stack.
        int deep = extent;
        if (blocks < length[extent]) {
            split(find(first[extent]), length[extent] - blocks);
            deep = rest[extent];
        }
        int oldest = find(first[deep]);
        if (oldest == deep) {
            stacks.put(first[deep], younger[deep]);
        } else {
            int before = oldest;
            while (younger[before] != deep) {
                before = younger[before];
            }
            younger[before] = younger[deep];
        }
        return deep;
    }

    /** Whether no other extent caches the same content. */
    private boolean isAlone(int extent) {
        return younger[extent] == NONE && find(first[extent]) == extent;
    }

    private int youngest(int oldest) {
        int e = oldest;
        while (younger[e] != NONE) {
            e = younger[e];
        }
        return e;
    }

    private void putStack(int oldest) {
        stacks.put(first[oldest], oldest);
        starts.set(first[oldest]);
    }

    private void removeStack(int chainId) {
        stacks.remove(chainId);
        starts.clear(chainId);
    }

    /** Splits a stack, given by its oldest extent, so that its first part is {@code blocks} long. */
    private void split(int oldest, int blocks) {
        int above = NONE;
        for (int e = oldest; e != NONE; e = younger[e]) {
            int deep = extent(first[e] + blocks, length[e] - blocks);
            holders[deep] = holders[e];
            length[e] = blocks;
            rest[deep] = rest[e];
            rest[e] = deep;
            if (holders[e] == 0) {
                link(deep, previous[e], e); // read before the part nearer the root
            }
            if (above == NONE) {
                putStack(deep);
            } else {
                younger[above] = deep;
            }
            above = deep;
        }
    }

    private int extent(int firstId, int blocks) {
        int e = unused;
        if (e != NONE) {
            unused = younger[e];
        } else {
            e = numbers++;
            if (e == first.length) {
                grow();
            }
        }
        first[e] = firstId;
        length[e] = blocks;
        holders[e] = 0;
        rest[e] = NONE;
        younger[e] = NONE;
        return e;
    }

    private void recycle(int e) {
        younger[e] = unused;
        unused = e;
    }

    private void link(int e, int before, int after) {
        next[before] = e;
        previous[e] = before;
        next[e] = after;
        previous[after] = e;
    }

    private void unlink(int e) {
        next[previous[e]] = next[e];
        previous[next[e]] = previous[e];
    }

    private void grow() {
        int n = first.length * 2;
        first = Arrays.copyOf(first, n);
        length = Arrays.copyOf(length, n);
        holders = Arrays.copyOf(holders, n);
        rest = Arrays.copyOf(rest, n);
        younger = Arrays.copyOf(younger, n);
        next = Arrays.copyOf(next, n);
        previous = Arrays.copyOf(previous, n);
    }
}
