package dev.warmroute.simulator.engine;

/** Layers with a recurrent state when prefix caching is off: one block a request, from its first step to its end. */
final class FixedTable extends GroupTable {
    FixedTable(BlockPool pool, int group, int blockSize) {
        super(pool, group, blockSize);
    }

    @Override
    int findHit(ChainRuns chain, int maxBlocks, GroupTable[] alike) {
        return 0;
    }

    @Override
    long neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence) {
        return 1;
    }

    @Override
    int neededToGrow(int request, int tokens) {
        return 0;
    }

    @Override
    void releaseSkipped(int request, int processed) {}

    @Override
    void allocate(int request, int tokens) {
        allocateUpTo(request, 1);
    }

    @Override
    int quietSteps(int request, int computed, int known, int processed) {
        return Integer.MAX_VALUE;
    }

    @Override
    int mostBlocks(int tokens) {
        return 1;
    }
}
