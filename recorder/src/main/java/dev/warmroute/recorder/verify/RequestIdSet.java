package dev.warmroute.recorder.verify;

import java.nio.charset.StandardCharsets;

/**
 * A set of request ids that takes 32 bytes an id: only a 128-bit hash of each is kept. Among a billion ids the chance that
 * any two share a hash is below 10^-20.
 */
public final class RequestIdSet {
    private static final long FNV_PRIME = 0x100000001b3L;

    private long[] high = new long[1 << 10];
    private long[] low = new long[1 << 10];
    private int size;

    /** Adds an id; false when it was there already. */
    public boolean add(String id) {
        long h = hash(id, 0xcbf29ce484222325L);
        long l = hash(id, 0x6c62272e07bb0142L) | 1; // 0 marks a free slot
        int at = slot(high, low, h, l);
        if (low[at] != 0) {
            return false;
        }
        high[at] = h;
        low[at] = l;
        if (2 * ++size > low.length) {
            grow();
        }
        return true;
    }

    public boolean contains(String id) {
        return low[slot(high, low, hash(id, 0xcbf29ce484222325L), hash(id, 0x6c62272e07bb0142L) | 1)] != 0;
    }

    int size() {
        return size;
    }

    private void grow() {
        long[] widerHigh = new long[2 * high.length];
        long[] widerLow = new long[2 * low.length];
        for (int i = 0; i < low.length; i++) {
            if (low[i] != 0) {
                int at = slot(widerHigh, widerLow, high[i], low[i]);
                widerHigh[at] = high[i];
                widerLow[at] = low[i];
            }
        }
        high = widerHigh;
        low = widerLow;
    }

    private static int slot(long[] high, long[] low, long h, long l) {
        int at = (int) (h ^ (h >>> 32)) & (low.length - 1);
        while (low[at] != 0 && (high[at] != h || low[at] != l)) {
            at = (at + 1) & (low.length - 1);
        }
        return at;
    }

    /** FNV-1a, then SplitMix64's finalizer, so that ids that differ in their last digit differ everywhere. */
    private static long hash(String id, long seed) {
        long h = seed;
        for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
            h = (h ^ (b & 0xff)) * FNV_PRIME;
        }
        h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L;
        h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL;
        return h ^ (h >>> 31);
    }
}
