package dev.warmroute.benchmarks;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.engine.TimedEngine;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Decode steps of 32 running requests, 16 tokens a block: one by one, and a second of model time at once. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {
    private static final int REQUESTS = 32;
    private static final int OUTPUT = 1 << 26; // more than an iteration takes
    private static final long SECOND = 1_000_000_000;

    private Engine engine;
    private TimedEngine timed;
    private long now;

    @Setup(Level.Iteration)
    public void fill() {
        EngineConfig config = EngineConfig.defaults().withMaxModelLen(1 << 28);
        engine = new Engine(config, new ChainInterner(config.blockSize()), EngineListener.NONE);
        timed = new TimedEngine(
                new Engine(config, new ChainInterner(config.blockSize()), EngineListener.NONE),
                TimingPresets.DEFAULT.preset().law());
        for (int i = 0; i < REQUESTS; i++) {
            Prompt prompt = Prompt.of((i + 1L) << 32, 8_000);
            engine.add(prompt, OUTPUT, Turn.freshOutput(64 * i));
            timed.add(0, prompt, OUTPUT, Turn.freshOutput(64 * i));
        }
        while (engine.step().prefillTokens() > 0) {
            // until all decode
        }
        now = 0;
    }

    @Benchmark
    public int step() {
        return engine.step().size();
    }

    @Benchmark
    public long secondOfModelTime() {
        now += SECOND;
        timed.advance(now);
        return timed.busyNanos();
    }
}
