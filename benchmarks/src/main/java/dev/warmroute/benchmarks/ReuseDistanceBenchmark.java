package dev.warmroute.benchmarks;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.simulator.capacity.ReuseDistance;
import java.util.SplittableRandom;
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
    private static final int SESSIONS = 100;
    private static final int TURNS = 2_000;

    private final Prompt[] prompts = new Prompt[TURNS];

    @Setup
    public void conversations() {
        SplittableRandom random = new SplittableRandom(1);
        int[] length = new int[SESSIONS];
        for (int i = 0; i < TURNS; i++) {
            int session = random.nextInt(SESSIONS);
            length[session] += length[session] == 0 ? 8_000 : 400 + random.nextInt(400);
            prompts[i] = Prompt.of((session + 1L) << 32, length[session]);
        }
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
