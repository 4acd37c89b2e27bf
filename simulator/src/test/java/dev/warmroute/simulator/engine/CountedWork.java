package dev.warmroute.simulator.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Counts what an engine does with its KV cache: every call of the scheduler to it, and every call of the cache to its block
 * pool. For tests of how work grows, where time would say nothing reliable.
 */
final class CountedWork {
    private long operations;

    long operations() {
        return operations;
    }

    /** An engine that is counted. */
    Engine engine(EngineConfig config, ChainInterner chains) {
        return new Engine(config, chains, EngineListener.NONE, (c, requests) -> counted(cache(c, requests)));
    }

    private KvCache cache(EngineConfig config, RequestTable requests) {
        return ExtentKvCache.serves(config)
                ? new ExtentKvCache(config, requests, new Extents(config))
                : new BlockKvCache(config, requests, new Blocks(config));
    }

    private KvCache counted(KvCache cache) {
        return (KvCache) Proxy.newProxyInstance(
                KvCache.class.getClassLoader(), new Class<?>[] {KvCache.class}, (p, method, args) -> {
                    operations++;
                    try {
                        return method.invoke(cache, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final class Extents extends ExtentPool {
        Extents(EngineConfig config) {
            super(config.usableBlocks(), config.rules().unhashedFirst());
        }

        @Override
        int find(int chainId) {
            operations++;
            return super.find(chainId);
        }

        @Override
        int length(int extent) {
            operations++;
            return super.length(extent);
        }

        @Override
        int rest(int extent) {
            operations++;
            return super.rest(extent);
        }

        @Override
        void touch(int extent, int blocks) {
            operations++;
            super.touch(extent, blocks);
        }

        @Override
        void allocate(int blocks) {
            operations++;
            super.allocate(blocks);
        }

        @Override
        int register(int last, int chainId, int blocks) {
            operations++;
            return super.register(last, chainId, blocks);
        }

        @Override
        void release(int extent) {
            operations++;
            super.release(extent);
        }
    }

    private final class Blocks extends BlockPool {
        Blocks(EngineConfig config) {
            super(
                    config.usableBlocks(),
                    config.groups().size(),
                    config.prefixCaching(),
                    config.rules().unhashedFirst());
        }

        @Override
        int find(int ofGroup, int chainId) {
            operations++;
            return super.find(ofGroup, chainId);
        }

        @Override
        void touch(int block) {
            operations++;
            super.touch(block);
        }

        @Override
        int allocate() {
            operations++;
            return super.allocate();
        }

        @Override
        void register(int block, int ofGroup, int chainId) {
            operations++;
            super.register(block, ofGroup, chainId);
        }

        @Override
        void free(int[] blocks, int from, int to) {
            operations += to - from;
            super.free(blocks, from, to);
        }
    }
}
