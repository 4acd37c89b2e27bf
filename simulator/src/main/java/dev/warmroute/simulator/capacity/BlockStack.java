package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.engine.ChainRuns;
import java.util.Arrays;

/**
 * An LRU stack of blocks without limit that tells the stack distance of every block a request touches: the number of
 * distinct blocks touched since the block itself was, the block included. A cache of C blocks holds it exactly when that is
 * at most C (Mattson's inclusion property).
 *
 * <p>A request's blocks are touched tail first, as vLLM frees them, so the head of a chain is always newer than its tail.
 * Two things follow. The blocks of a request that are on the stack are a leading part of it; and blocks that were touched
 * together and follow each other with consecutive chain ids lie next to each other on the stack. The stack therefore keeps
 * such stretches as one element with a weight, and its work grows with the number of stretches, not of blocks: a Fenwick
 * tree over the elements in order of their last touch gives the weight above an element. Distances within an element are
 * consecutive numbers, so they enter the histogram as one range.
 *
 * <p>The stack is in order of the last touch, so the blocks touched since any moment are its top: how many they are is found by
 * bisection.
 *
 * <p>Memory grows with the distinct blocks, not with the trace: elements that are gone are squeezed out.
 */
final class BlockStack {
    private static final int ABSENT = -1;

    /** Element whose first (newest) block this chain id is; valid only for ids at which an element starts. */
    private int[] elementAt = new int[1024];
    /** Chain ids seen so far are smaller than this. */
    private int known;

    // Elements by last touch, oldest first.
    private int[] first = new int[1024];
    private int[] length = new int[1024]; // 0: gone
    private long[] touchedAt = new long[1024];
    /** Fenwick tree over {@code length}; element i is node i + 1. */
    private int[] weight = new int[1025];

    private int elements;
    private int blocks;

    /** Histogram of distances as differences: distance d occurs {@code sum of change[0..d]} times. */
    private int[] change = new int[1024];

    /**
     * Touches a request's blocks.
     *
     * @param countable how many leading blocks may be hits; distances of the others do not enter the histogram
     * @param at when, in nanoseconds; never before the last touch
     */
    void touch(ChainRuns request, int countable, long at) {
        int end = remove(request, countable);
        known = Math.max(known, end);
        for (int r = request.runs() - 1; r >= 0; r--) {
            push(request.first(r), request.count(r), at);
        }
    }

    /** Distinct blocks touched later than a moment. */
    int touchedAfter(long nanos) {
        int low = 0;
        int high = elements;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (touchedAt[middle] > nanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return blocks - weightUpTo(low - 1);
    }

    /** Distinct blocks touched so far. */
    int blocks() {
        return blocks;
    }

    /**
     * Returns how many touches had a distance of at most {@code capacities[i]}.
     *
     * @param capacities in blocks, ascending
     */
    long[] touchesWithin(long[] capacities) {
        long[] out = new long[capacities.length];
        long touches = 0;
        long count = 0;
        int d = 0;
        for (int i = 0; i < capacities.length; i++) {
            for (; d < change.length && d <= capacities[i]; d++) {
                count += change[d];
                touches += count;
            }
            out[i] = touches;
        }
        return out;
    }

    /** Takes the request's blocks off the stack and counts their distances; returns the end of the chain ids it has. */
    private int remove(ChainRuns request, int countable) {
        int end = 0;
        boolean present = true;
        for (int r = 0; r < request.runs(); r++) {
            int id = request.first(r);
            int left = request.count(r);
            int block = request.at(r);
            end = Math.max(end, id + left);
            while (present && left > 0) {
                int element = id < known ? elementAt(id) : ABSENT;
                if (element == ABSENT) {
                    present = false;
                    break;
                }
                int taken = Math.min(left, length[element]);
                // What of this request is off the stack already lay above: its blocks count for the distance too.
                int above = block + blocks - weightUpTo(element);
                int hits = Math.min(taken, countable - block);
                if (hits > 0) {
                    count(above + 1, hits);
                }
                take(element, taken);
                id += taken;
                block += taken;
                left -= taken;
            }
        }
        return end;
    }

    private int elementAt(int id) {
        return id < elementAt.length ? elementAt[id] : ABSENT;
    }

    /** Shortens an element from its newest block on. */
    private void take(int element, int taken) {
        elementAt[first[element]] = ABSENT;
        first[element] += taken;
        length[element] -= taken;
        if (length[element] > 0) {
            elementAt[first[element]] = element;
        }
        add(element, -taken);
        blocks -= taken;
    }

    private void push(int id, int count, long at) {
        if (elements == first.length) {
            squeeze();
        }
        if (id + 1 > elementAt.length) {
            int old = elementAt.length;
            elementAt = Arrays.copyOf(elementAt, Math.max(id + 1, Math.max(old, known) * 2));
            Arrays.fill(elementAt, old, elementAt.length, ABSENT);
        }
        first[elements] = id;
        length[elements] = count;
        touchedAt[elements] = at;
        elementAt[id] = elements;
        add(elements++, count);
        blocks += count;
    }

    private void count(int distance, int touches) {
        int end = distance + touches;
        if (end >= change.length) {
            change = Arrays.copyOf(change, Math.max(end + 1, change.length * 2));
        }
        change[distance]++;
        change[end]--;
    }

    private int weightUpTo(int element) {
        int sum = 0;
        for (int i = element + 1; i > 0; i &= i - 1) {
            sum += weight[i];
        }
        return sum;
    }

    private void add(int element, int delta) {
        for (int i = element + 1; i < weight.length; i += i & -i) {
            weight[i] += delta;
        }
    }

    /** Renumbers the elements that are left, and makes room for as many again. */
    private void squeeze() {
        int kept = 0;
        for (int i = 0; i < elements; i++) {
            if (length[i] > 0) {
                first[kept] = first[i];
                length[kept] = length[i];
                touchedAt[kept] = touchedAt[i];
                elementAt[first[kept]] = kept;
                kept++;
            }
        }
        int capacity = Math.max(1024, 2 * kept);
        first = Arrays.copyOf(first, capacity);
        length = Arrays.copyOf(length, capacity);
        Arrays.fill(length, kept, capacity, 0);
        touchedAt = Arrays.copyOf(touchedAt, capacity);
        weight = new int[capacity + 1];
        for (int i = 1; i <= capacity; i++) {
            weight[i] += length[i - 1];
            int parent = i + (i & -i);
            if (parent <= capacity) {
                weight[parent] += weight[i];
            }
        }
        elements = kept;
    }
}
