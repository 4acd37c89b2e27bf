package dev.warmroute.simulator.engine;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;

/**
 * Layers with a recurrent state, cache mode {@code align}: one block holds the state after a whole number of blocks. A
 * hit needs only the state at its end; a running request holds the state it works on and, until the step after, the one
 * it started from. A state cached in a step cannot be used by another request of the same step.
 */
final class StateTable extends GroupTable {
    private static final int NONE = -1;

    /** More than any pool has: the request must wait for the next step. */
    private static final long NOT_IN_THIS_STEP = 1L << 40;

    private final IntOpenHashSet cachedThisStep = new IntOpenHashSet();
    private int[] lastState = filled(16); // request -> position of the state its newest block continues
    private int[] retired = new int[16]; // request -> positions before this are given back

    StateTable(BlockPool pool, int group, int blockSize) {
        super(pool, group, blockSize);
    }

    @Override
    void stepStarts() {
        cachedThisStep.clear();
    }

    /** The furthest cached state. */
    @Override
    int findHit(ChainRuns chain, int maxBlocks, GroupTable[] alike) {
        int hit = maxBlocks;
        while (hit > 0 && !allHave(alike, chain.id(hit - 1))) {
            hit--;
        }
        for (GroupTable table : alike) {
            table.setHit(hit, Math.max(0, hit - 1));
        }
        return hit;
    }

    @Override
    long neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence) {
        if (hitBlocks > 0 && cachedThisStep.contains(chain.id(hitBlocks - 1))) {
            return NOT_IN_THIS_STEP;
        }
        return Math.min(1, Math.max(0, ceilDiv(tokens, blockSize) - hitBlocks)) + evictable(chain);
    }

    @Override
    int neededToGrow(int request, int tokens) {
        return Math.min(1, Math.max(0, ceilDiv(tokens, blockSize) - held[request]));
    }

    @Override
    void releaseSkipped(int request, int processed) {
        int[] row = rows[request];
        int end = Math.min((processed - 1) / blockSize, held[request]);
        if (end > retired[request]) {
            pool.free(row, retired[request], end);
            Arrays.fill(row, retired[request], end, 0);
            retired[request] = end;
        }
        // Blocks of a prompt are not contiguous: the state before the last is given back by its position.
        int last = lastState[request];
        if (last != NONE && last < ceilDiv(processed, blockSize) - 1 && row[last] != 0) {
            pool.free(row, last, last + 1);
            row[last] = 0;
        }
    }

    /** Takes one block for the state at the end of the tokens; positions in between hold none. */
    @Override
    void allocate(int request, int tokens) {
        int blocks = ceilDiv(tokens, blockSize);
        int before = held[request];
        if (blocks > before) {
            if (before > 0) {
                lastState[request] = before - 1;
            }
            int[] row = ensure(request, blocks);
            Arrays.fill(row, before, blocks - 1, 0);
            row[blocks - 1] = pool.allocate();
            held[request] = blocks;
        }
    }

    @Override
    void register(int request, ChainRuns chain, int blocks) {
        for (int i = registered[request]; i < blocks; i++) {
            if (rows[request][i] != 0) {
                cachedThisStep.add(chain.id(i));
            }
        }
        super.register(request, chain, blocks);
    }

    /**
     * Notes that the state at the prompt's last block boundary was cached in this step as well: vLLM registers it anew
     * in every step as long as the request holds it.
     */
    void registerBoundary(int request, ChainRuns chain, int blocks) {
        if (blocks > 0 && blocks <= held[request] && rows[request][blocks - 1] != 0) {
            cachedThisStep.add(chain.id(blocks - 1));
        }
    }

    @Override
    void release(int request) {
        super.release(request);
        lastState[request] = NONE;
        retired[request] = 0;
    }

    @Override
    int quietSteps(int request, int computed, int known, int processed) {
        int untilRetired = (retired[request] + 1) * blockSize + 1 - processed;
        int last = lastState[request];
        boolean holdsLast = last != NONE && rows[request][last] != 0;
        int untilLeft = holdsLast ? (last + 1) * blockSize + 1 - processed : Integer.MAX_VALUE;
        return Math.min(Math.min(untilRetired, untilLeft), super.quietSteps(request, computed, known, processed));
    }

    @Override
    int mostBlocks(int tokens) {
        return Math.min(ceilDiv(tokens, blockSize), 2);
    }

    @Override
    void makeRoom(int requests) {
        int before = rows.length;
        super.makeRoom(requests);
        if (before < rows.length) {
            lastState = Arrays.copyOf(lastState, rows.length);
            Arrays.fill(lastState, before, rows.length, NONE);
            retired = Arrays.copyOf(retired, rows.length);
        }
    }

    private static int[] filled(int n) {
        int[] array = new int[n];
        Arrays.fill(array, NONE);
        return array;
    }
}
