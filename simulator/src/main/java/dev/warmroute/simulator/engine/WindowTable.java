package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * Layers that attend to a sliding window: a hit needs only the blocks of the window before its end, and blocks that the
 * window has left are freed while the request runs.
 */
final class WindowTable extends GroupTable {
    private final int window;
    private final int blocksOfHit;
    private final int mostBlocks;
    private int[] skipped = new int[16]; // request -> leading positions that hold no block

    /**
     * @param window tokens
     * @param tokensInFlight most tokens scheduled and not settled: batches in flight times their budget
     */
    WindowTable(BlockPool pool, int group, int blockSize, int window, long tokensInFlight, int maxModelLen) {
        super(pool, group, blockSize);
        this.window = window;
        this.blocksOfHit = ceilDiv(window - 1, blockSize);
        // One more, since the window need not begin where a block does.
        this.mostBlocks = ceilDiv((int) Math.min(window - 1 + tokensInFlight, maxModelLen), blockSize) + 1;
    }

    /** Searches from the right for as many blocks in a row as a window needs; fewer suffice at the very beginning. */
    @Override
    int findHit(ChainRuns chain, int maxBlocks, GroupTable[] alike) {
        int inRow = 0;
        int hit = -1;
        for (int i = maxBlocks - 1; i >= 0 && hit < 0; i--) {
            inRow = allHave(alike, chain.id(i)) ? inRow + 1 : 0;
            if (inRow > 0 && inRow >= blocksOfHit) {
                hit = i + inRow;
            }
        }
        if (hit < 0) {
            hit = inRow;
        }
        for (GroupTable table : alike) {
            table.setHit(hit, Math.max(0, hit - blocksOfHit));
        }
        return hit;
    }

    @Override
    long neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence) {
        int blocks = ceilDiv(tokens, blockSize);
        if (wholeSequence) {
            blocks = Math.min(blocks, mostBlocks);
        }
        return Math.max(0, blocks - hitBlocks) + evictable(chain);
    }

    @Override
    int neededToGrow(int request, int tokens) {
        return Math.max(0, ceilDiv(tokens, blockSize) - held[request]);
    }

    @Override
    void adoptHit(int request, ChainRuns chain) {
        super.adoptHit(request, chain);
        skipped[request] = hitFrom;
    }

    @Override
    void releaseSkipped(int request, int processed) {
        int end = Math.min(Math.max(0, processed - window + 1) / blockSize, held[request]);
        int from = skipped[request];
        if (end > from) {
            pool.free(rows[request], from, end);
            Arrays.fill(rows[request], from, end, 0);
            skipped[request] = end;
        }
    }

    @Override
    void allocate(int request, int tokens) {
        allocateUpTo(request, ceilDiv(tokens, blockSize));
    }

    @Override
    void register(int request, ChainRuns chain, int blocks) {
        if (blocksOfHit > 0) {
            super.register(request, chain, blocks);
        } else {
            registered[request] = Math.max(registered[request], blocks); // a window of one token: no block is ever hit
        }
    }

    @Override
    void release(int request) {
        super.release(request);
        skipped[request] = 0;
    }

    @Override
    int quietSteps(int request, int computed, int known, int processed) {
        int untilSkipped = (skipped[request] + 1) * blockSize + window - 1 - processed;
        return Math.min(untilSkipped, super.quietSteps(request, computed, known, processed));
    }

    @Override
    int mostBlocks(int tokens) {
        return Math.min(ceilDiv(tokens, blockSize), mostBlocks);
    }

    @Override
    void makeRoom(int requests) {
        super.makeRoom(requests);
        if (skipped.length < rows.length) {
            skipped = Arrays.copyOf(skipped, rows.length);
        }
    }
}
