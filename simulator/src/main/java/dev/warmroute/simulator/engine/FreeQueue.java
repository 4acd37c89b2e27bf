package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * vLLM's queue of free blocks, in the order in which they will be handed out: a doubly-linked list threaded through two
 * int arrays. Block ids start at 1. Blocks that were never used stand in the queue as one entry, in the order of their
 * ids, so that neither a huge pool nor one without limit costs anything before it is used.
 */
final class FreeQueue {
    /** Stands at both ends of the circle. */
    private static final int ENDS = 0;

    private final int capacity;
    private final int neverUsedEntry = 1; // entries are block ids + 1, behind this one

    private int[] next = new int[64];
    private int[] previous = new int[64];
    private int used; // highest block id handed out so far
    private int size;

    /**
     * @param capacity number of blocks
     */
    FreeQueue(int capacity) {
        this.capacity = capacity;
        this.size = capacity;
        next[ENDS] = neverUsedEntry;
        previous[ENDS] = neverUsedEntry;
        next[neverUsedEntry] = ENDS;
        previous[neverUsedEntry] = ENDS;
    }

    int size() {
        return size;
    }

    /**
     * Takes the block at the head.
     *
     * @throws IllegalStateException if the queue is empty: whoever asks has not counted what it needs
     */
    int removeFirst() {
        if (size == 0) {
            throw new IllegalStateException("no free block among " + capacity);
        }
        int entry = next[ENDS];
        size--;
        if (entry != neverUsedEntry) {
            unlink(entry);
            return entry - 1;
        }
        if (++used == capacity) {
            unlink(neverUsedEntry);
        }
        if (used + 1 == next.length) {
            next = Arrays.copyOf(next, next.length * 2);
            previous = Arrays.copyOf(previous, previous.length * 2);
        }
        return used;
    }

    void remove(int block) {
        size--;
        unlink(block + 1);
    }

    void addFirst(int block) {
        size++;
        link(block + 1, ENDS, next[ENDS]);
    }

    void addLast(int block) {
        size++;
        link(block + 1, previous[ENDS], ENDS);
    }

    private void link(int entry, int before, int after) {
        next[before] = entry;
        previous[entry] = before;
        next[entry] = after;
        previous[after] = entry;
    }

    private void unlink(int entry) {
        int before = previous[entry];
        int after = next[entry];
        next[before] = after;
        previous[after] = before;
    }
}
