package dev.warmroute.recorder.format;

import java.util.Arrays;

/** Numbers hashes in the order in which they first appear, from 0. Open addressing; 12 to 24 bytes a hash. */
final class LongIds {
    private static final int NONE = -1;

    private long[] keys = new long[1 << 10];
    private int[] ids = new int[1 << 10];
    private int size;

    LongIds() {
        Arrays.fill(ids, NONE);
    }

    /** Number of a hash; a new one if it has not been seen. */
    int id(long hash) {
        int at = find(keys, ids, hash);
        if (ids[at] != NONE) {
            return ids[at];
        }
        keys[at] = hash;
        ids[at] = size++;
        if (size > keys.length / 2) {
            grow();
        }
        return size - 1;
    }

    private static int find(long[] keys, int[] ids, long hash) {
        int at = (int) (hash * 0x9e3779b97f4a7c15L >>> 40) & keys.length - 1;
        while (ids[at] != NONE && keys[at] != hash) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    private void grow() {
        if (keys.length == 1 << 30) {
            throw new IllegalStateException("more than " + size + " distinct blocks");
        }
        long[] moreKeys = new long[keys.length * 2];
        int[] moreIds = new int[keys.length * 2];
        Arrays.fill(moreIds, NONE);
        for (int i = 0; i < keys.length; i++) {
            if (ids[i] != NONE) {
                int at = find(moreKeys, moreIds, keys[i]);
                moreKeys[at] = keys[i];
                moreIds[at] = ids[i];
            }
        }
        keys = moreKeys;
        ids = moreIds;
    }
}
