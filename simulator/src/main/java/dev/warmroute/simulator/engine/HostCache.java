package dev.warmroute.simulator.engine;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.Arrays;

/**
 * What is in host memory: blocks by chain id, in the order of their last use. A block that is being written or read stays;
 * of the others the one used longest ago goes first. A use is a store, and the end of a request that stored or loaded the
 * block.
 */
final class HostCache {
    /** Not there. */
    static final int ABSENT = -2;
    /** Being written: it will be there. */
    static final int PENDING = -1;
    /** There, and read by nobody; a larger number is that of the loads reading it. */
    static final int READY = 0;

    private static final int NONE = 0; // ends of the list

    private final int capacity;
    private final Int2IntOpenHashMap slots = new Int2IntOpenHashMap(); // chain id -> slot, from 1
    private int[] id = new int[64];
    private int[] state = new int[64];
    private int[] older = new int[64];
    private int[] newer = new int[64];
    private int[] offered = new int[64]; // number of the offer that it was part of last
    private int offers;
    private final IntArrayList freeSlots = new IntArrayList();
    private int used; // slots that were ever in use
    private int evictable;
    private long evicted;

    HostCache(int capacity) {
        this.capacity = capacity;
    }

    int size() {
        return slots.size();
    }

    long evicted() {
        return evicted;
    }

    /** {@link #ABSENT}, {@link #PENDING}, {@link #READY}, or how many loads read it. */
    int state(int chainId) {
        int slot = slots.get(chainId);
        return slot == NONE ? ABSENT : state[slot];
    }

    /**
     * Takes in those of some blocks that are not there; they are being written from now on.
     *
     * @param ids chain ids, each once; those that are there stay, whatever has to go
     * @param stored receives those taken in
     * @param seen receives those taken in or wanted, and those that were there to be read
     * @return false, with nothing taken in, if too few others can go
     */
    boolean offer(int[] ids, int from, int to, IntArrayList stored, IntSet seen) {
        offers++;
        int start = stored.size();
        for (int i = from; i < to; i++) {
            int slot = slots.get(ids[i]);
            if (slot == NONE) {
                stored.add(ids[i]);
                seen.add(ids[i]);
            } else {
                offered[slot] = offers;
                if (state[slot] != PENDING) {
                    seen.add(ids[i]);
                }
            }
        }
        int missing = stored.size() - start;
        if (!evict(missing - (capacity - slots.size()))) {
            stored.size(start);
            return false;
        }
        for (int i = start; i < stored.size(); i++) {
            insert(stored.getInt(i));
        }
        return true;
    }

    /** A block has been written. */
    void written(int chainId) {
        int slot = slots.get(chainId);
        if (slot != NONE && state[slot] == PENDING) {
            state[slot] = READY;
            evictable++;
        }
    }

    /** A load begins to read a block that is there. */
    void pin(int chainId) {
        int slot = slots.get(chainId);
        if (state[slot]++ == READY) {
            evictable--;
        }
    }

    /** A load has read a block. */
    void unpin(int chainId) {
        int slot = slots.get(chainId);
        if (--state[slot] == READY) {
            evictable++;
        }
    }

    /** A block is used; one that is not there is passed over. */
    void touch(int chainId) {
        int slot = slots.get(chainId);
        if (slot != NONE) {
            unlink(slot);
            linkNewest(slot);
        }
    }

    private boolean evict(int blocks) {
        if (blocks <= 0) {
            return true;
        }
        if (blocks > evictable) {
            return false;
        }
        int found = 0;
        for (int slot = newer[NONE]; slot != NONE && found < blocks; slot = newer[slot]) {
            found += canGo(slot) ? 1 : 0;
        }
        if (found < blocks) {
            return false;
        }
        int slot = newer[NONE];
        while (found > 0) {
            int next = newer[slot];
            if (canGo(slot)) {
                remove(slot);
                found--;
            }
            slot = next;
        }
        return true;
    }

    private boolean canGo(int slot) {
        return state[slot] == READY && offered[slot] != offers;
    }

    private void remove(int slot) {
        slots.remove(id[slot]);
        unlink(slot);
        freeSlots.add(slot);
        evictable--;
        evicted++;
    }

    private void insert(int chainId) {
        int slot = freeSlots.isEmpty() ? ++used : freeSlots.popInt();
        if (slot == id.length) {
            grow();
        }
        slots.put(chainId, slot);
        id[slot] = chainId;
        state[slot] = PENDING;
        offered[slot] = offers;
        linkNewest(slot);
    }

    private void linkNewest(int slot) {
        older[slot] = older[NONE];
        newer[slot] = NONE;
        newer[older[NONE]] = slot;
        older[NONE] = slot;
    }

    private void unlink(int slot) {
        newer[older[slot]] = newer[slot];
        older[newer[slot]] = older[slot];
    }

    private void grow() {
        int n = id.length * 2;
        id = Arrays.copyOf(id, n);
        state = Arrays.copyOf(state, n);
        older = Arrays.copyOf(older, n);
        newer = Arrays.copyOf(newer, n);
        offered = Arrays.copyOf(offered, n);
    }
}
