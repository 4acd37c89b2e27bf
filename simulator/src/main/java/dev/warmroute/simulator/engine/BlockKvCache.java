package dev.warmroute.simulator.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A KV cache kept block by block, for any set of groups that draw from one pool.
 *
 * <p>With several groups a hit is the longest that all accept: the full-attention group first, each other one may only
 * shorten it, until nothing changes (vLLM's hybrid coordinator).
 */
final class BlockKvCache implements KvCache {
    private final RequestTable requests;
    private final BlockPool pool;
    private final int blockSize;
    private final int maxModelLen;
    private final boolean caching;
    private final GroupTable[] tables;
    private final GroupTable[][] alike; // equal groups together, full attention first
    private final boolean onePass; // full attention and one other kind: one round finds the hit
    private int[] boundary = new int[16]; // request -> longest hit of one group, if longer than that of all
    private int longestHit;

    BlockKvCache(EngineConfig config, RequestTable requests) {
        this(
                config,
                requests,
                new BlockPool(
                        config.usableBlocks(),
                        config.groups().size(),
                        config.prefixCaching(),
                        config.rules().unhashedFirst()));
    }

    BlockKvCache(EngineConfig config, RequestTable requests, BlockPool pool) {
        this.requests = requests;
        this.pool = pool;
        this.blockSize = config.blockSize();
        this.maxModelLen = config.maxModelLen();
        this.caching = config.prefixCaching();
        List<KvGroup> groups = config.groups();
        this.tables = new GroupTable[groups.size()];
        for (int g = 0; g < tables.length; g++) {
            tables[g] = table(groups.get(g), g, config);
        }
        this.alike = alike(groups, tables);
        this.onePass = alike.length == 2 && alike[0][0] instanceof FullTable;
    }

    private GroupTable table(KvGroup kind, int group, EngineConfig config) {
        return switch (kind) {
            case KvGroup.Full full -> new FullTable(pool, group, blockSize);
            case KvGroup.SlidingWindow sliding ->
                new WindowTable(
                        pool,
                        group,
                        blockSize,
                        sliding.window(),
                        (long) config.maxNumBatchedTokens() * config.maxConcurrentBatches(),
                        maxModelLen);
            case KvGroup.GatedDelta state ->
                caching ? new StateTable(pool, group, blockSize) : new FixedTable(pool, group, blockSize);
        };
    }

    private static GroupTable[][] alike(List<KvGroup> groups, GroupTable[] tables) {
        List<KvGroup> kinds = new ArrayList<>();
        for (KvGroup kind : groups) {
            if (!kinds.contains(kind)) {
                kinds.add(kind instanceof KvGroup.Full ? 0 : kinds.size(), kind);
            }
        }
        GroupTable[][] result = new GroupTable[kinds.size()][];
        for (int k = 0; k < result.length; k++) {
            List<GroupTable> same = new ArrayList<>();
            for (int g = 0; g < tables.length; g++) {
                if (groups.get(g).equals(kinds.get(k))) {
                    same.add(tables[g]);
                }
            }
            result[k] = same.toArray(GroupTable[]::new);
        }
        return result;
    }

    @Override
    public void added(int request) {
        for (GroupTable table : tables) {
            table.makeRoom(request + 1);
        }
        if (request >= boundary.length) {
            boundary = Arrays.copyOf(boundary, Math.max(boundary.length * 2, request + 1));
        }
        boundary[request] = 0;
    }

    @Override
    public void stepStarts() {
        for (GroupTable table : tables) {
            table.stepStarts();
        }
    }

    @Override
    public int lookup(int request) {
        if (!caching) {
            return 0;
        }
        int hit = findHit(requests.chain[request], requests.tokens[request]);
        boundary[request] = longestHit > hit ? longestHit * blockSize : 0;
        return hit * blockSize;
    }

    @Override
    public int sharedBoundary(int request) {
        return boundary[request];
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
        ChainRuns chain = requests.chain[request];
        if (wholeSequence && neededToAdmit(chain, requests.tokens[request], true) + keepFree > pool.free()) {
            return false;
        }
        int target = Math.min(hit + tokens, maxModelLen);
        if (neededToAdmit(chain, target, false) + keepFree + reserved > pool.free()) {
            return false;
        }
        if (hit > 0) {
            for (GroupTable table : tables) {
                table.adoptHit(request, chain);
            }
        }
        for (GroupTable table : tables) {
            table.allocate(request, target);
        }
        return true;
    }

    @Override
    public boolean resume(int request, int tokens, int keepFree, boolean wholeSequence) {
        int room = pool.free() - keepFree;
        int target = Math.min(requests.computed[request] + tokens, maxModelLen);
        if (wholeSequence && lacking(request) > room || neededToGrow(request, target) > room) {
            return false;
        }
        return grow(request, tokens);
    }

    @Override
    public int lacking(int request) {
        return neededToGrow(request, requests.tokens[request]);
    }

    private int neededToGrow(int request, int tokens) {
        int needed = 0;
        for (GroupTable table : tables) {
            needed += table.neededToGrow(request, tokens);
        }
        return needed;
    }

    @Override
    public boolean grow(int request, int tokens) {
        int computed = requests.computed[request];
        int target = Math.min(computed + tokens, maxModelLen);
        for (GroupTable table : tables) {
            table.releaseSkipped(request, Math.max(0, computed - requests.inFlight[request]));
        }
        if (neededToGrow(request, target) > pool.free()) {
            return false;
        }
        for (GroupTable table : tables) {
            table.allocate(request, target);
        }
        register(request, computed + tokens);
        return true;
    }

    @Override
    public void register(int request, int tokens) {
        if (!caching) {
            return;
        }
        int known = Math.min(tokens, requests.tokens[request]);
        int blocks = known / blockSize;
        ChainRuns chain = requests.chain[request];
        boolean atBoundary = blocks == (requests.promptTokens[request] - 1) / blockSize
                && (tables.length > 1 || known % blockSize == 0);
        for (GroupTable table : tables) {
            table.register(request, chain, blocks);
            if (atBoundary && table instanceof StateTable states) {
                states.registerBoundary(request, chain, blocks);
            }
        }
    }

    @Override
    public void release(int request) {
        for (GroupTable table : tables) {
            table.release(request);
        }
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
        long blocks = 0;
        for (GroupTable table : tables) {
            blocks += table.mostBlocks(tokens);
        }
        return blocks;
    }

    @Override
    public int cachedPrefix(ChainRuns chain, int tokens) {
        return caching ? findHit(chain, tokens) * blockSize : 0;
    }

    @Override
    public int quietSteps(int request) {
        int computed = requests.computed[request];
        int known = caching ? requests.tokens[request] : Integer.MIN_VALUE / 2;
        int quiet = Integer.MAX_VALUE;
        for (GroupTable table : tables) {
            int steps = table.quietSteps(request, computed, known, computed - requests.inFlight[request]);
            quiet = Math.min(quiet, steps);
        }
        return Math.max(0, quiet);
    }

    // A stretch ends where any table changes (quietSteps), so that within it nothing is missing and nothing is to be
    // done.

    @Override
    public int missing(int request, int tokens) {
        return 0;
    }

    @Override
    public void decoded(int request) {}

    /** Not known: windows and states give blocks back, and a state may become a hit at any step's end. */
    @Override
    public boolean staysBlocked(int request, int keepFree) {
        return false;
    }

    /** Longest hit that all groups accept, in blocks: each may shorten it, until none does. */
    private int findHit(ChainRuns chain, int tokens) {
        int hit = (tokens - 1) / blockSize;
        boolean fullKnown = false;
        longestHit = 0;
        while (true) {
            int current = hit;
            for (GroupTable[] same : alike) {
                boolean full = same[0] instanceof FullTable;
                if (full && fullKnown) {
                    current = Math.min(current, same[0].hitBlocks); // every shorter prefix is a hit too
                    continue;
                }
                current = same[0].findHit(chain, current, same);
                longestHit = Math.max(longestHit, current);
                fullKnown |= full;
            }
            boolean stable = current == hit;
            hit = current;
            if (stable || onePass || alike.length == 1) {
                break;
            }
        }
        if (fullKnown) {
            for (GroupTable table : alike[0]) {
                table.setHit(hit, 0);
            }
        }
        return hit;
    }

    private long neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence) {
        long needed = 0;
        for (GroupTable table : tables) {
            needed += table.neededToAdmit(chain, tokens, wholeSequence);
        }
        return needed;
    }
}
