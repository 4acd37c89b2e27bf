package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * The chain ids of a sequence of full blocks, as runs of consecutive numbers: block {@code at(r) + j} has chain id
 * {@code first(r) + j}. A buffer to be reused; see {@link ChainInterner}.
 */
public final class ChainRuns {
    private int[] first = new int[8];
    private int[] end = new int[8];
    private int runs;

    public void clear() {
        runs = 0;
    }

    /** Number of blocks. */
    public int blocks() {
        return runs == 0 ? 0 : end[runs - 1];
    }

    public int runs() {
        return runs;
    }

    /** First chain id of a run. */
    public int first(int run) {
        return first[run];
    }

    /** Position of a run's first block in the sequence. */
    public int at(int run) {
        return run == 0 ? 0 : end[run - 1];
    }

    /** Position after a run's last block. */
    public int end(int run) {
        return end[run];
    }

    /** Number of blocks of a run. */
    public int count(int run) {
        return end[run] - at(run);
    }

    /** Chain id of the block at a position. */
    public int id(int block) {
        int run = runOf(block);
        return first[run] + block - at(run);
    }

    /** Run that holds the block at a position. */
    public int runOf(int block) {
        int low = 0, high = runs - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (end[middle] <= block) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Appends {@code count} blocks with consecutive chain ids. */
    void append(int firstId, int count) {
        int blocks = blocks();
        if (runs > 0 && first[runs - 1] + (blocks - at(runs - 1)) == firstId) {
            end[runs - 1] += count;
            return;
        }
        if (runs == first.length) {
            first = Arrays.copyOf(first, runs * 2);
            end = Arrays.copyOf(end, runs * 2);
        }
        first[runs] = firstId;
        end[runs++] = blocks + count;
    }
}
