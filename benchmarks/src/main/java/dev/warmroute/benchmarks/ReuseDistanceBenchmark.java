package dev.warmroute.benchmarks;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.simulator.capacity.ReuseDistance;
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

/** The reuse distances of 2,000 turns of 100 growing conversations, 16 tokens a block. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReuseDistanceBenchmark {
    private Prompt[] prompts;

    @Setup
    public void conversations() {
        prompts = Conversations.turns(100, 2_000);
    }

    @Benchmark
    public double unlimitedHitPct() {
        ReuseDistance reuse = new ReuseDistance(16);
        for (Prompt prompt : prompts) {
            reuse.add(prompt);
        }
        return reuse.unlimitedHitPct();
    }
}
