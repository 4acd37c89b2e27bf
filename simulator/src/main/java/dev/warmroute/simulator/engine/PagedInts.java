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
    private int[][] spares = new int[16][]; // emptied pages, kept for the next that are needed
    private int spareCount;

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
            pages[page] = spareCount == 0 ? new int[PAGE] : spares[--spareCount];
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
            if (spareCount == spares.length) {
                spares = Arrays.copyOf(spares, spareCount * 2);
            }
            spares[spareCount++] = pages[page];
            pages[page] = null;
        }
    }

    void clearAll() {
        Arrays.fill(pages, null);
        Arrays.fill(live, 0);
    }
}
