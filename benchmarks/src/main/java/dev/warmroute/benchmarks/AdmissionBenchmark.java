package dev.warmroute.benchmarks;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.engine.KvGroup;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One request from its arrival to its only output token, on a replica whose cache holds half of the conversations: prefix
 * match, blocks taken and evicted, prefill, blocks given back. With full attention only the cache is kept in extents, with a
 * sliding-window group block by block.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AdmissionBenchmark {
    private static final int TURNS = 2_000;

    @Param({"full", "full+swa:1024"})
    private String groups;

    private Prompt[] prompts;
    private Engine engine;
    private int next;

    @Setup
    public void fill() {
        prompts = Conversations.turns(100, TURNS);
        List<KvGroup> kv =
                Arrays.stream(groups.split("\\+")).map(KvGroup::parse).toList();
        EngineConfig config =
                EngineConfig.defaults().withUsableBlocks(40_000 * kv.size()).withGroups(kv);
        engine = new Engine(config, new ChainInterner(config.blockSize()), EngineListener.NONE);
        for (int i = 0; i < TURNS; i++) {
            serve();
        }
    }

    @Benchmark
    public long serve() {
        engine.add(prompts[next], 1, Turn.freshOutput(next));
        next = (next + 1) % TURNS;
        while (engine.hasRequests()) {
            engine.step();
        }
        return engine.counters().promptTokensCached();
    }
}
