package dev.warmroute.router.state;

import java.util.Arrays;

/**
 * What one replica's prefix cache is believed to hold: the chained hashes of the prompts sent there, at most
 * {@code maxBlocks} of them, each for {@code idleNanos} after its last use. The longest unused goes first, of one prompt its
 * tail before its head; so what is held is always whole prefixes, and how much of a prompt is held can be searched by halves.
 *
 * <p>It is a guess: answers are not in it before they come back in the next prompt, and the engine's own evictions are unknown.
 * A hash table with open addressing whose entries are linked in order of use. Not thread-safe.
 */
final class PrefixIndex {
    private static final int NONE = -1;

    private final long maxBlocks;
    private final long idleNanos;
    private int[] table = new int[128];
    private long[] hashes = new long[64];
    private long[] used = new long[64];
    private int[] newer = new int[64];
    private int[] older = new int[64];
    private int size;
    /** Entries given back, linked through {@code newer}. */
    private int free = NONE;

    private int entries;
    private int newest = NONE;
    private int oldest = NONE;

    PrefixIndex(long maxBlocks, long idleNanos) {
        this.maxBlocks = maxBlocks;
        this.idleNanos = idleNanos;
        Arrays.fill(table, NONE);
    }

    /** Number of blocks held. */
    int size() {
        return size;
    }

    /** Leading blocks of a chain that are held at a moment. */
    int matched(long[] chain, long now) {
        expire(now);
        int held = 0;
        int least = 0;
        int most = chain.length;
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (entry(chain[middle]) != NONE) {
                least = middle + 1;
                held = least;
            } else {
                most = middle;
            }
        }
        return held;
    }

    /** Records that a prompt was sent. */
    void add(long[] chain, long now) {
        expire(now);
        // The head last, so that it is the newest; what would not fit is not put in at all.
        for (int i = (int) Math.min(chain.length, maxBlocks) - 1; i >= 0; i--) {
            int e = entry(chain[i]);
            if (e == NONE) {
                if (size >= maxBlocks) {
                    remove(oldest);
                }
                e = insert(chain[i]);
            } else {
                unlink(e);
            }
            used[e] = now;
            linkNewest(e);
        }
    }

    private void expire(long now) {
        while (oldest != NONE && now - used[oldest] >= idleNanos) {
            remove(oldest);
        }
    }

    private int entry(long hash) {
        int mask = table.length - 1;
        for (int at = slot(hash, mask); table[at] != NONE; at = (at + 1) & mask) {
            if (hashes[table[at]] == hash) {
                return table[at];
            }
        }
        return NONE;
    }

    private int insert(long hash) {
        if (2 * (size + 1) > table.length) {
            grow();
        }
        int e;
        if (free == NONE) {
            e = entries++;
        } else {
            e = free;
            free = newer[e];
        }
        hashes[e] = hash;
        put(e);
        size++;
        return e;
    }

    private void put(int e) {
        int mask = table.length - 1;
        int at = slot(hashes[e], mask);
        while (table[at] != NONE) {
            at = (at + 1) & mask;
        }
        table[at] = e;
    }

    private void remove(int e) {
        unlink(e);
        int mask = table.length - 1;
        int hole = slot(hashes[e], mask);
        while (table[hole] != e) {
            hole = (hole + 1) & mask;
        }
        // What was pushed on by the removed entry moves back, so that no search ends too early.
        for (int at = (hole + 1) & mask; table[at] != NONE; at = (at + 1) & mask) {
            int home = slot(hashes[table[at]], mask);
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = NONE;
        newer[e] = free;
        free = e;
        size--;
    }

    private void grow() {
        int n = hashes.length * 2;
        hashes = Arrays.copyOf(hashes, n);
        used = Arrays.copyOf(used, n);
        newer = Arrays.copyOf(newer, n);
        older = Arrays.copyOf(older, n);
        table = new int[2 * n];
        Arrays.fill(table, NONE);
        for (int e = newest; e != NONE; e = older[e]) {
            put(e);
        }
    }

    private void unlink(int e) {
        if (newer[e] == NONE) {
            newest = older[e];
        } else {
            older[newer[e]] = older[e];
        }
        if (older[e] == NONE) {
            oldest = newer[e];
        } else {
            newer[older[e]] = newer[e];
        }
    }

    private void linkNewest(int e) {
        older[e] = newest;
        newer[e] = NONE;
        if (newest == NONE) {
            oldest = e;
        } else {
            newer[newest] = e;
        }
        newest = e;
    }

    private static int slot(long hash, int mask) {
        long mixed = hash * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & mask;
    }
}
