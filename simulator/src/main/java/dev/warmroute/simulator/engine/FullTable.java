package dev.warmroute.simulator.engine;

/** Layers that attend to everything: a hit is an unbroken prefix, and every block is held to the end. */
final class FullTable extends GroupTable {
    FullTable(BlockPool pool, int group, int blockSize) {
        super(pool, group, blockSize);
    }

    @Override
    int findHit(ChainRuns chain, int maxBlocks, GroupTable[] alike) {
        int hit = 0;
        for (int run = 0; hit < maxBlocks && run < chain.runs(); run++) {
            int first = chain.first(run) - chain.at(run);
            int end = Math.min(maxBlocks, chain.end(run));
            while (hit < end && allHave(alike, first + hit)) {
                hit++;
            }
            if (hit < end) {
                break;
            }
        }
        for (GroupTable table : alike) {
            table.setHit(hit, 0);
        }
        return hit;
    }

    @Override
    long neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence) {
        return Math.max(0, ceilDiv(tokens, blockSize) - hitBlocks) + evictable(chain);
    }

    @Override
    int neededToGrow(int request, int tokens) {
        return Math.max(0, ceilDiv(tokens, blockSize) - held[request]);
    }

    @Override
    void releaseSkipped(int request, int processed) {}

    @Override
    void allocate(int request, int tokens) {
        allocateUpTo(request, ceilDiv(tokens, blockSize));
    }

    @Override
    int mostBlocks(int tokens) {
        return ceilDiv(tokens, blockSize);
    }
}
