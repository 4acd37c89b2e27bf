package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * The block tables of one KV cache group: which blocks each request holds, and what a hit, a need and a release mean
 * for this kind of layer. A 0 in a table is vLLM's null block: a position whose block is not needed (any more).
 */
abstract class GroupTable {
    final BlockPool pool;
    final int group;
    final int blockSize;

    /** request -> its blocks, the first {@code held[request]} entries of the row. */
    int[][] rows = new int[16][16];

    int[] held = new int[16];

    /** request -> blocks registered so far: {@code num_cached_block}. */
    int[] registered = new int[16];

    // The hit of the request looked up last: blocks [0, hitBlocks), real ones from hitFrom on.
    int hitBlocks;
    int hitFrom;

    GroupTable(BlockPool pool, int group, int blockSize) {
        this.pool = pool;
        this.group = group;
        this.blockSize = blockSize;
    }

    void stepStarts() {}

    /**
     * Finds the longest hit of at most {@code maxBlocks} blocks that is a hit in all of {@code alike}, tables of equal
     * groups of which this is the first, and notes it in each of them.
     *
     * @return its length in blocks
     */
    abstract int findHit(ChainRuns chain, int maxBlocks, GroupTable[] alike);

    /** Blocks to take from the pool for a request not yet admitted, hit blocks that leave the free queue included. */
    abstract long neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence);

    /** Blocks to take from the pool for a running request to have room for {@code tokens} tokens. */
    abstract int neededToGrow(int request, int tokens);

    /**
     * Gives back what a running request does not need any more, of whose tokens {@code processed} are computed for
     * good.
     */
    abstract void releaseSkipped(int request, int processed);

    /** Takes the blocks it lacks for {@code tokens} tokens. */
    abstract void allocate(int request, int tokens);

    /**
     * Decode steps of a running request, from the next on, in which its table does not change; 0 or less if the next
     * changes it.
     *
     * @param computed tokens computed when the next step is scheduled
     * @param known tokens of which full blocks are registered then
     * @param processed tokens computed for good then
     */
    int quietSteps(int request, int computed, int known, int processed) {
        int untilFull = held[request] * blockSize - computed;
        int untilRegistered = (registered[request] + 1) * blockSize - known;
        return Math.min(untilFull, untilRegistered);
    }

    /** Most blocks a request of so many tokens holds at a time. */
    abstract int mostBlocks(int tokens);

    /**
     * Notes the hit found for the request that is to be admitted: blocks [0, blocks), null ones before {@code
     * realFrom}.
     */
    final void setHit(int blocks, int realFrom) {
        hitBlocks = blocks;
        hitFrom = realFrom;
    }

    /** Gives the hit to the request. */
    void adoptHit(int request, ChainRuns chain) {
        int[] row = ensure(request, hitBlocks);
        Arrays.fill(row, 0, hitFrom, 0);
        for (int i = hitFrom; i < hitBlocks; i++) {
            int block = pool.find(group, chain.id(i));
            pool.touch(block);
            row[i] = block;
        }
        held[request] = hitBlocks;
        registered[request] = hitBlocks;
    }

    /** Registers full blocks up to {@code blocks}. */
    void register(int request, ChainRuns chain, int blocks) {
        int[] row = rows[request];
        for (int i = registered[request]; i < blocks; i++) {
            if (row[i] != 0) {
                pool.register(row[i], group, chain.id(i));
            }
        }
        registered[request] = Math.max(registered[request], blocks);
    }

    /** Takes all blocks from the request. */
    void release(int request) {
        pool.free(rows[request], 0, held[request]);
        held[request] = 0;
        registered[request] = 0;
    }

    /** Makes room for requests with handles below {@code requests}. */
    void makeRoom(int requests) {
        int before = rows.length;
        if (requests > before) {
            rows = Arrays.copyOf(rows, Math.max(before * 2, requests));
            held = Arrays.copyOf(held, rows.length);
            registered = Arrays.copyOf(registered, rows.length);
            for (int r = before; r < rows.length; r++) {
                rows[r] = new int[16];
            }
        }
    }

    /** Hit blocks that nobody holds, so that taking them takes from the free queue. */
    final int evictable(ChainRuns chain) {
        int count = 0;
        for (int i = hitFrom; i < hitBlocks; i++) {
            if (pool.isFree(pool.find(group, chain.id(i)))) {
                count++;
            }
        }
        return count;
    }

    final void allocateUpTo(int request, int blocks) {
        int[] row = ensure(request, blocks);
        while (held[request] < blocks) {
            row[held[request]++] = pool.allocate();
        }
    }

    /** The request's row, with room for so many blocks. */
    final int[] ensure(int request, int blocks) {
        if (rows[request].length < blocks) {
            rows[request] = Arrays.copyOf(rows[request], Math.max(rows[request].length * 2, blocks));
        }
        return rows[request];
    }

    static boolean allHave(GroupTable[] alike, int chainId) {
        for (GroupTable table : alike) {
            if (table.pool.find(table.group, chainId) == 0) {
                return false;
            }
        }
        return true;
    }

    static int ceilDiv(int a, int b) {
        return (a + b - 1) / b;
    }
}
