package dev.warmroute.simulator.engine;

/** Open-addressing hash table from (parent, first token, length) to an int. Entries are never removed. */
final class PieceTable {
    /** Answer for a key that is not there; no value equals it. */
    static final int ABSENT = Integer.MIN_VALUE;

    private long[] starts = new long[2048];
    private int[] parents = new int[2048];
    private int[] lengths = new int[2048]; // 0 = empty slot
    private int[] values = new int[2048];
    private int size;

    int get(int parent, long start, int length) {
        int slot = slot(parent, start, length);
        return lengths[slot] == 0 ? ABSENT : values[slot];
    }

    /** Adds an entry whose key is absent. */
    void put(int parent, long start, int length, int value) {
        if (++size > lengths.length / 2) {
            resize();
        }
        set(slot(parent, start, length), parent, start, length, value);
    }

    private void set(int slot, int parent, long start, int length, int value) {
        starts[slot] = start;
        parents[slot] = parent;
        lengths[slot] = length;
        values[slot] = value;
    }

    private int slot(int parent, long start, int length) {
        int mask = lengths.length - 1;
        long h = (start ^ ((long) parent << 32) ^ length) * 0x9E3779B97F4A7C15L;
        h = (h ^ (h >>> 32) ^ start) * 0xD6E8FEB86659FD93L;
        int slot = (int) (h >>> 33) & mask;
        while (lengths[slot] != 0
                && (starts[slot] != start || parents[slot] != parent || lengths[slot] != length)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void resize() {
        long[] oldStarts = starts;
        int[] oldParents = parents;
        int[] oldLengths = lengths;
        int[] oldValues = values;
        int capacity = lengths.length * 2;
        starts = new long[capacity];
        parents = new int[capacity];
        lengths = new int[capacity];
        values = new int[capacity];
        for (int i = 0; i < oldLengths.length; i++) {
            if (oldLengths[i] != 0) {
                set(slot(oldParents[i], oldStarts[i], oldLengths[i]), oldParents[i], oldStarts[i], oldLengths[i], oldValues[i]);
            }
        }
    }
}
