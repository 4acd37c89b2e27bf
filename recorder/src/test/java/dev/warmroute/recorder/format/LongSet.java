package dev.warmroute.recorder.format;

import java.util.Arrays;

/** A set of non-negative longs without objects: public traces refer to tens of millions of blocks. */
final class LongSet {
    private long[] slots = filled(1 << 8);
    private int size;

    boolean contains(long value) {
        return slots[slot(slots, value)] == value;
    }

    void add(long value) {
        int at = slot(slots, value);
        if (slots[at] == value) {
            return;
        }
        slots[at] = value;
        if (2 * ++size > slots.length) {
            long[] wider = filled(2 * slots.length);
            for (long v : slots) {
                if (v >= 0) {
                    wider[slot(wider, v)] = v;
                }
            }
            slots = wider;
        }
    }

    int size() {
        return size;
    }

    private static int slot(long[] slots, long value) {
        int at = (int) ((value * 0x9E3779B97F4A7C15L) >>> 32) & (slots.length - 1);
        while (slots[at] >= 0 && slots[at] != value) {
            at = (at + 1) & (slots.length - 1);
        }
        return at;
    }

    private static long[] filled(int length) {
        long[] slots = new long[length];
        Arrays.fill(slots, -1);
        return slots;
    }
}
