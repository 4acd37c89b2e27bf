package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * Blocks of all groups of one replica: who holds them, what is cached in them, and in which order they will be reused.
 *
 * <p>A block is held (reference count above 0) or in the free queue; a cached block may be either. Two blocks may hold
 * the same content; a look-up finds the one cached first.
 */
class BlockPool {
    private final FreeQueue free;
    private final boolean caching;
    private final boolean unhashedFirst;
    private final int capacity;
    private final PagedInts[] index; // group -> chain id -> first cached block

    private int[] references = new int[64];
    private int[] chain = new int[64]; // chain id + 1 of what is cached in the block; 0 = nothing
    private byte[] group = new byte[64];
    private int[] younger = new int[64]; // next cached block with the same content

    private int distinct;
    private long evicted;

    /**
     * @param capacity usable blocks
     */
    BlockPool(int capacity, int groups, boolean caching, boolean unhashedFirst) {
        this.capacity = capacity;
        this.free = new FreeQueue(capacity);
        this.caching = caching;
        this.unhashedFirst = unhashedFirst;
        this.index = new PagedInts[groups];
        for (int g = 0; g < groups; g++) {
            index[g] = new PagedInts();
        }
    }

    int free() {
        return free.size();
    }

    int used() {
        return capacity - free.size();
    }

    int distinct() {
        return distinct;
    }

    long evicted() {
        return evicted;
    }

    /** Returns the block that caches a chain id for a group, 0 if none does. */
    int find(int ofGroup, int chainId) {
        return index[ofGroup].get(chainId);
    }

    boolean isFree(int block) {
        return references[block] == 0;
    }

    /** Holds a cached block once more. */
    void touch(int block) {
        if (references[block]++ == 0) {
            free.remove(block);
        }
    }

    /** Takes the block at the head of the free queue; what was cached in it is evicted. */
    int allocate() {
        int block = free.removeFirst();
        if (block == references.length) {
            grow();
        }
        if (chain[block] != 0) {
            forget(block);
            evicted++;
        }
        references[block] = 1;
        return block;
    }

    /** Caches the content of a full block under a chain id. */
    void register(int block, int ofGroup, int chainId) {
        chain[block] = chainId + 1;
        group[block] = (byte) ofGroup;
        younger[block] = 0;
        int oldest = index[ofGroup].get(chainId);
        if (oldest == 0) {
            index[ofGroup].set(chainId, block);
            distinct++;
            return;
        }
        while (younger[oldest] != 0) {
            oldest = younger[oldest];
        }
        younger[oldest] = block;
    }

    /**
     * Gives blocks back, the last in the table first. Those that nobody holds any more are queued: blocks without
     * content to be reused first, in this order, cached ones last, in this order. Entries of 0 are no blocks.
     */
    void free(int[] blocks, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            int block = blocks[i];
            if (block != 0 && --references[block] == 0 && !goesFirst(block)) {
                free.addLast(block);
            }
        }
        for (int i = from; i < to; i++) {
            int block = blocks[i];
            if (block != 0 && references[block] == 0 && goesFirst(block)) {
                free.addFirst(block);
            }
        }
    }

    /** Forgets everything cached. All blocks must be free. */
    void reset() {
        for (PagedInts ofGroup : index) {
            ofGroup.clearAll();
        }
        Arrays.fill(chain, 0);
        distinct = 0;
    }

    private boolean goesFirst(int block) {
        return unhashedFirst && (chain[block] == 0 || !caching);
    }

    private void forget(int block) {
        PagedInts ofGroup = index[group[block]];
        int chainId = chain[block] - 1;
        int at = ofGroup.get(chainId);
        if (at == block) {
            if (younger[block] != 0) {
                ofGroup.set(chainId, younger[block]);
            } else {
                ofGroup.clear(chainId);
                distinct--;
            }
        } else {
            while (younger[at] != block) {
                at = younger[at];
            }
            younger[at] = younger[block];
        }
        chain[block] = 0;
    }

    private void grow() {
        int n = references.length * 2;
        references = Arrays.copyOf(references, n);
        chain = Arrays.copyOf(chain, n);
        group = Arrays.copyOf(group, n);
        younger = Arrays.copyOf(younger, n);
    }
}
