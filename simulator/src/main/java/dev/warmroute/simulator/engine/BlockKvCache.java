package dev.warmroute.simulator.engine;

import java.util.ArrayList;
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
    private final int[] shared; // result of the last look-up: longest hit of one group, 0 if no longer than that of all
    private int[] boundary = new int[16];

    BlockKvCache(EngineConfig config, RequestTable requests) {
        this.requests = requests;
        this.blockSize = config.blockSize();
        this.maxModelLen = config.maxModelLen();
        this.caching = config.prefixCaching();
        List<KvGroup> groups = config.groups();
        this.pool = new BlockPool(config.usableBlocks(), groups.size(), caching, config.rules().unhashedFirst());
        this.tables = new GroupTable[groups.size()];
        for (int g = 0; g < tables.length; g++) {
            tables[g] = table(groups.get(g), g, config);
        }
        this.alike = alike(groups, tables);
        this.shared = new int[1];
    }

    private GroupTable table(KvGroup kind, int group, EngineConfig config) {
        return new FullTable(pool, group, blockSize);
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
    public void stepStarts() {}

    @Override
    public int lookup(int request) {
        return caching ? findHit(requests.chain[request], requests.tokens[request]) * blockSize : 0;
    }

    @Override
    public int sharedBoundary(int request) {
        return 0;
    }

    @Override
    public boolean admit(int request, int hit, int tokens, int keepFree, boolean wholeSequence) {
        ChainRuns chain = requests.chain[request];
        if (wholeSequence && neededToAdmit(chain, requests.tokens[request], true) + keepFree > pool.free()) {
            return false;
        }
        int target = Math.min(hit + tokens, maxModelLen);
        if (neededToAdmit(chain, target, false) + keepFree > pool.free()) {
            return false;
        }
        for (GroupTable table : tables) {
            table.ensure(request, 1);
            if (hit > 0) {
                table.adoptHit(request, chain);
            }
        }
        for (GroupTable table : tables) {
            table.allocate(request, target);
        }
        register(request, hit + tokens);
        return true;
    }

    @Override
    public boolean grow(int request, int tokens) {
        int computed = requests.computed[request];
        int target = Math.min(computed + tokens, maxModelLen);
        int needed = 0;
        for (GroupTable table : tables) {
            table.releaseSkipped(request, Math.max(0, computed - requests.inFlight[request]));
        }
        for (GroupTable table : tables) {
            needed += table.neededToGrow(request, target);
        }
        if (needed > pool.free()) {
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
        int blocks = Math.min(tokens, requests.tokens[request]) / blockSize;
        for (GroupTable table : tables) {
            table.register(request, requests.chain[request], blocks);
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
        return (long) tables.length * GroupTable.ceilDiv(tokens, blockSize);
    }

    @Override
    public int cachedPrefix(ChainRuns chain, int tokens) {
        return caching ? findHit(chain, tokens) * blockSize : 0;
    }

    private int findHit(ChainRuns chain, int tokens) {
        return alike[0][0].findHit(chain, (tokens - 1) / blockSize, alike[0]);
    }

    private int neededToAdmit(ChainRuns chain, int tokens, boolean wholeSequence) {
        int needed = 0;
        for (GroupTable table : tables) {
            needed += table.neededToAdmit(chain, tokens, wholeSequence);
        }
        return needed;
    }
}
