package dev.warmroute.simulator.engine;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The two block pools, which nobody outside their package sees, under the same work: a prompt of 500 blocks of which the
 * first half is cached is touched, the rest allocated over what was cached there, registered, and all of it freed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BlockPoolBenchmark {
    private static final int PROMPT = 500;
    private static final int HALF = PROMPT / 2;
    private static final int CAPACITY = 40_000;
    // The second halves have other chain ids each time, apart from those of the first, until these are used up.
    private static final int FIRST_CHAIN = PROMPT;
    private static final int CHAINS = 1 << 20;

    private final BlockPool pool = new BlockPool(CAPACITY, 1, true, true);
    private final int[] blocks = new int[PROMPT];
    private int nextChain = FIRST_CHAIN;

    private final ExtentPool extents = new ExtentPool(CAPACITY, true);
    private int nextExtentChain = FIRST_CHAIN;

    @Setup
    public void fill() {
        for (int i = 0; i < HALF; i++) {
            blocks[i] = pool.allocate();
            pool.register(blocks[i], 0, i);
        }
        pool.free(blocks, 0, HALF);
        extents.allocate(HALF);
        extents.release(extents.register(0, 0, HALF));
        for (int i = 0; i < CAPACITY / HALF; i++) {
            blockByBlock();
            inExtents();
        }
    }

    @Benchmark
    public int blockByBlock() {
        for (int i = 0; i < HALF; i++) {
            blocks[i] = pool.find(0, i);
            pool.touch(blocks[i]);
        }
        nextChain = nextChain + HALF < CHAINS ? nextChain : FIRST_CHAIN;
        for (int i = HALF; i < PROMPT; i++) {
            blocks[i] = pool.allocate();
            pool.register(blocks[i], 0, nextChain++);
        }
        pool.free(blocks, 0, PROMPT);
        return pool.distinct();
    }

    @Benchmark
    public int inExtents() {
        int hit = extents.find(0);
        extents.touch(hit, HALF);
        extents.allocate(HALF);
        nextExtentChain = nextExtentChain + HALF < CHAINS ? nextExtentChain : FIRST_CHAIN;
        int rest = extents.register(hit, nextExtentChain, HALF);
        nextExtentChain += HALF;
        extents.release(rest);
        extents.release(hit);
        return extents.distinct();
    }
}
