package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * A map from small non-negative ints to positive ints, in pages that exist only where something is set. 0 stands for
 * nothing. Neighbouring keys are neighbours in memory.
 */
final class PagedInts {
    private static final int BITS = 9;
    private static final int PAGE = 1 << BITS;

    private int[][] pages = new int[16][];
    private int[] live = new int[16];
    private int[] spare; // one emptied page, kept for the next that is needed

    int get(int key) {
        int page = key >>> BITS;
        if (page >= pages.length || pages[page] == null) {
            return 0;
        }
        return pages[page][key & (PAGE - 1)];
    }

    void set(int key, int value) {
        int page = key >>> BITS;
        if (page >= pages.length) {
            int length = Math.max(pages.length * 2, page + 1);
            pages = Arrays.copyOf(pages, length);
            live = Arrays.copyOf(live, length);
        }
        if (pages[page] == null) {
            pages[page] = spare == null ? new int[PAGE] : spare;
            spare = null;
        }
        if (pages[page][key & (PAGE - 1)] == 0) {
            live[page]++;
        }
        pages[page][key & (PAGE - 1)] = value;
    }

    /** Removes a key that is set. */
    void clear(int key) {
        int page = key >>> BITS;
        pages[page][key & (PAGE - 1)] = 0;
        if (--live[page] == 0) {
            spare = pages[page];
            pages[page] = null;
        }
    }

    void clearAll() {
        Arrays.fill(pages, null);
        Arrays.fill(live, 0);
    }
}
