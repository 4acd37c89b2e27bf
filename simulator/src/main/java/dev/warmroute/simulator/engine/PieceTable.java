package dev.warmroute.simulator.engine;

/** Open-addressing hash table from (parent, first token, length) to an int. Entries are never removed. */
final class PieceTable {
    /** Answer for a key that is not there; no value equals it. */
    static final int ABSENT = Integer.MIN_VALUE;

    // Three longs an entry, side by side in memory: the first token; parent and length; the value. A length of 0 is no
    // entry.
    private static final int WIDTH = 3;

    private long[] entries = new long[2048 * WIDTH];
    private int capacity = 2048;
    private int size;

    int get(int parent, long start, int length) {
        int at = slot(parent, start, length);
        return entries[at + 1] == 0 ? ABSENT : (int) entries[at + 2];
    }

    /** Adds an entry whose key is absent. */
    void put(int parent, long start, int length, int value) {
        if (++size > capacity / 2) {
            resize();
        }
        int at = slot(parent, start, length);
        entries[at] = start;
        entries[at + 1] = key(parent, length);
        entries[at + 2] = value;
    }

    private static long key(int parent, int length) {
        return (long) parent << 32 | length;
    }

    /** Position of the entry with a key, or of the free one where it belongs. */
    private int slot(int parent, long start, int length) {
        long key = key(parent, length);
        int slot = (int) (mix(start, key) >>> 33) & (capacity - 1);
        while (true) {
            int at = slot * WIDTH;
            long there = entries[at + 1];
            if (there == 0 || there == key && entries[at] == start) {
                return at;
            }
            slot = (slot + 1) & (capacity - 1);
        }
    }

    private static long mix(long start, long key) {
        long h = (start ^ key) * 0x9E3779B97F4A7C15L;
        return (h ^ (h >>> 32) ^ start) * 0xD6E8FEB86659FD93L;
    }

    private void resize() {
        long[] old = entries;
        capacity *= 2;
        entries = new long[Math.multiplyExact(capacity, WIDTH)];
        for (int i = 0; i < old.length; i += WIDTH) {
            if (old[i + 1] != 0) {
                int at = slot((int) (old[i + 1] >> 32), old[i], (int) old[i + 1]);
                System.arraycopy(old, i, entries, at, WIDTH);
            }
        }
    }
}
