package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * The KV cache of a model with full attention only, kept in extents: the same decisions as {@link BlockKvCache}, in
 * time that does not depend on the length of the prompts.
 *
 * <p>A request holds extents that together cache its registered blocks, and {@code loose} blocks in which nothing is
 * cached yet: the partial one at its end, and all of them when prefix caching is off.
 */
final class ExtentKvCache implements KvCache {
    private final RequestTable requests;
    private final ExtentPool pool;
    private final int blockSize;
    private final int maxModelLen;
    private final boolean caching;

    // request -> what it holds
    private int[][] extents = new int[16][];
    private int[][] blocks = new int[16][]; // of each extent when it was taken; it may have been split since
    private int[] pieces = new int[16];
    private int[] registered = new int[16];
    private int[] loose = new int[16];

    // request -> the same in tokens, so that most steps of most requests divide nothing: how many its blocks can hold,
    // and
    // with how many computed the next block is full
    private int[] held = new int[16];
    private int[] fullFrom = new int[16];

    // request -> the run of its chain in which it registers: end, and what makes a position a chain id. (The chain
    // itself is an object of its own, likely not in the processor's cache.)
    private int[] runEnd = new int[16];
    private int[] shift = new int[16];

    // What the last look-up found.
    private int[] hitExtents = new int[16];
    private int[] hitLengths = new int[16];
    private int hitPieces;
    private int hitBlocks;
    private int hitFree; // of these, in the free queue

    private int[] walk = new int[16];

    ExtentKvCache(EngineConfig config, RequestTable requests) {
        this(
                config,
                requests,
                new ExtentPool(config.usableBlocks(), config.rules().unhashedFirst()));
    }

    ExtentKvCache(EngineConfig config, RequestTable requests, ExtentPool pool) {
        this.requests = requests;
        this.pool = pool;
        this.blockSize = config.blockSize();
        this.maxModelLen = config.maxModelLen();
        this.caching = config.prefixCaching();
    }

    /** Whether a cache with these groups can be kept in extents. */
    static boolean serves(EngineConfig config) {
        return config.groups().equals(KvGroup.FULL_ONLY);
    }

    @Override
    public void added(int request) {
        if (request >= pieces.length) {
            int n = Math.max(pieces.length * 2, request + 1);
            extents = Arrays.copyOf(extents, n);
            blocks = Arrays.copyOf(blocks, n);
            pieces = Arrays.copyOf(pieces, n);
            registered = Arrays.copyOf(registered, n);
            loose = Arrays.copyOf(loose, n);
            held = Arrays.copyOf(held, n);
            fullFrom = Arrays.copyOf(fullFrom, n);
            runEnd = Arrays.copyOf(runEnd, n);
            shift = Arrays.copyOf(shift, n);
        }
        if (extents[request] == null) {
            extents[request] = new int[8];
            blocks[request] = new int[8];
        }
    }

    @Override
    public void stepStarts() {}

    @Override
    public int lookup(int request) {
        find(requests.chain[request], requests.tokens[request]);
        return hitBlocks * blockSize;
    }

    @Override
    public int cachedPrefix(ChainRuns chain, int tokens) {
        find(chain, tokens);
        return hitBlocks * blockSize;
    }

    /** Walks down the chain as long as extents follow each other; the last token is always left to compute. */
    private void find(ChainRuns chain, int tokens) {
        hitPieces = 0;
        hitBlocks = 0;
        hitFree = 0;
        if (!caching) {
            return;
        }
        int most = (tokens - 1) / blockSize;
        for (int run = 0; run < chain.runs() && hitBlocks < most; run++) {
            int end = Math.min(most, chain.end(run));
            int shift = chain.first(run) - chain.at(run);
            while (hitBlocks < end) {
                int extent = pool.find(shift + hitBlocks);
                if (extent == 0) {
                    return;
                }
                int length = Math.min(pool.length(extent), end - hitBlocks);
                addHit(extent, length);
            }
        }
    }

    private void addHit(int extent, int length) {
        if (hitPieces == hitExtents.length) {
            hitExtents = Arrays.copyOf(hitExtents, hitPieces * 2);
            hitLengths = Arrays.copyOf(hitLengths, hitPieces * 2);
        }
        hitExtents[hitPieces] = extent;
        hitLengths[hitPieces++] = length;
        hitBlocks += length;
        if (pool.isFree(extent)) {
            hitFree += length;
        }
    }

    @Override
    public int sharedBoundary(int request) {
        return 0;
    }

    @Override
    public boolean admit(int request, int hit, int tokens, int keepFree, boolean wholeSequence) {
        if (!place(request, hit, tokens, keepFree, 0, wholeSequence)) {
            return false;
        }
        register(request, hit + tokens);
        return true;
    }

    @Override
    public boolean hold(int request, int hit, int loaded, int keepFree, int reserved, boolean wholeSequence) {
        return place(request, hit, loaded, keepFree, reserved, wholeSequence);
    }

    private boolean place(int request, int hit, int tokens, int keepFree, int reserved, boolean wholeSequence) {
        int room = pool.free() - keepFree - hitFree + hitBlocks;
        int target = blocksFor(Math.min(hit + tokens, maxModelLen));
        if (wholeSequence && blocksFor(requests.tokens[request]) > room || target > room - reserved) {
            return false;
        }
        for (int i = 0; i < hitPieces; i++) {
            pool.touch(hitExtents[i], hitLengths[i]);
            take(request, hitExtents[i], hitLengths[i]);
        }
        registered[request] = hitBlocks;
        held[request] = hit;
        fullFrom[request] = caching ? hit + blockSize : Integer.MAX_VALUE;
        allocate(request, target - hitBlocks);
        return true;
    }

    @Override
    public boolean resume(int request, int tokens, int keepFree, boolean wholeSequence) {
        int room = pool.free() - keepFree;
        int target = Math.min(requests.computed[request] + tokens, maxModelLen);
        if (wholeSequence && lacking(request) > room || missing(request, target) > room) {
            return false;
        }
        return grow(request, tokens);
    }

    @Override
    public int lacking(int request) {
        return Math.max(0, missing(request, requests.tokens[request]));
    }

    @Override
    public boolean grow(int request, int tokens) {
        int computed = requests.computed[request] + tokens;
        if (computed > held[request]) {
            int missing = missing(request, Math.min(computed, maxModelLen));
            if (missing > pool.free()) {
                return false;
            }
            allocate(request, missing);
        }
        register(request, computed);
        return true;
    }

    @Override
    public int missing(int request, int tokens) {
        return blocksFor(tokens) - registered[request] - loose[request];
    }

    @Override
    public int quietSteps(int request) {
        return Integer.MAX_VALUE;
    }

    @Override
    public void decoded(int request) {
        allocate(request, missing(request, requests.computed[request]));
        register(request, requests.tokens[request] - 1);
    }

    @Override
    public boolean staysBlocked(int request, int keepFree) {
        find(requests.chain[request], requests.tokens[request]);
        return blocksFor(requests.tokens[request]) > pool.free() - keepFree - hitFree + hitBlocks;
    }

    @Override
    public void register(int request, int tokens) {
        int known = Math.min(tokens, requests.tokens[request]);
        if (known >= fullFrom[request]) {
            registerBlocks(request, known / blockSize);
        }
    }

    private void registerBlocks(int request, int full) {
        while (registered[request] < full) {
            int at = registered[request];
            if (at >= runEnd[request]) {
                ChainRuns chain = requests.chain[request];
                int run = chain.runOf(at);
                runEnd[request] = chain.end(run);
                shift[request] = chain.first(run) - chain.at(run);
            }
            int chainId = shift[request] + at;
            int count = pool.registrable(chainId, Math.min(full, runEnd[request]) - at);
            int last = lastExtent(request);
            int extent = pool.register(last, chainId, count);
            if (extent == last) {
                blocks[request][pieces[request] - 1] += count;
            } else {
                take(request, extent, count);
            }
            registered[request] += count;
            loose[request] -= count;
        }
        fullFrom[request] = (full + 1) * blockSize;
    }

    /** Frees the deepest blocks first: the loose ones, then the extents from the last to the first. */
    @Override
    public void release(int request) {
        pool.releaseBlank(loose[request]);
        for (int i = pieces[request] - 1; i >= 0; i--) {
            int parts = parts(extents[request][i], blocks[request][i]);
            while (parts > 0) {
                pool.release(walk[--parts]);
            }
        }
        pieces[request] = 0;
        registered[request] = 0;
        loose[request] = 0;
        runEnd[request] = 0;
    }

    @Override
    public boolean reset() {
        if (pool.used() > 0) {
            return false;
        }
        pool.reset();
        return true;
    }

    @Override
    public int usedBlocks() {
        return pool.used();
    }

    @Override
    public int freeBlocks() {
        return pool.free();
    }

    @Override
    public int cachedBlocks() {
        return pool.distinct();
    }

    @Override
    public long evictedBlocks() {
        return pool.evicted();
    }

    @Override
    public long blocksAtMost(int tokens) {
        return blocksFor(tokens);
    }

    private int blocksFor(int tokens) {
        return (tokens + blockSize - 1) / blockSize;
    }

    private void allocate(int request, int count) {
        if (count > 0) {
            pool.allocate(count);
            loose[request] += count;
            held[request] += count * blockSize;
        }
    }

    private void take(int request, int extent, int count) {
        int n = pieces[request]++;
        if (n == extents[request].length) {
            extents[request] = Arrays.copyOf(extents[request], n * 2);
            blocks[request] = Arrays.copyOf(blocks[request], n * 2);
        }
        extents[request][n] = extent;
        blocks[request][n] = count;
    }

    private int lastExtent(int request) {
        int n = pieces[request];
        if (n == 0) {
            return 0;
        }
        int extent = extents[request][n - 1];
        int left = blocks[request][n - 1];
        while (pool.length(extent) < left) {
            left -= pool.length(extent);
            extent = pool.rest(extent);
        }
        return extent;
    }

    /**
     * Fills {@code walk} with the extents that were one of {@code count} blocks when it was taken; returns how many.
     */
    private int parts(int extent, int count) {
        int parts = 0;
        int left = count;
        for (int e = extent; left > 0; e = pool.rest(e)) {
            if (parts == walk.length) {
                walk = Arrays.copyOf(walk, parts * 2);
            }
            walk[parts++] = e;
            left -= pool.length(e);
        }
        return parts;
    }
}
