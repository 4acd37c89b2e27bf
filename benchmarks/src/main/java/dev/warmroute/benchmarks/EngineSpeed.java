package dev.warmroute.benchmarks;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineCounters;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.engine.TimedEngine;
import dev.warmroute.simulator.timing.StepTimeLaw;
import dev.warmroute.simulator.timing.TimingPresets;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/**
 * Measures the engine alone on a trace: open loop, round robin, prompts already in memory, no router and no results.
 *
 * <p>Usage: {@code EngineSpeed FORMAT:FILE [replicas [blockSize [usableBlocks|0 [rounds]]]]}. Prints one line a round.
 */
public final class EngineSpeed {
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
    private static final StepTimeLaw LAW = TimingPresets.DEFAULT.preset().law();

    private EngineSpeed() {}

    public static void main(String[] args) {
        int replicas = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        int blockSize = args.length > 2 ? Integer.parseInt(args[2]) : 16;
        int blocks = args.length > 3 ? Integer.parseInt(args[3]) : 128_000;
        int rounds = args.length > 4 ? Integer.parseInt(args[4]) : 5;
        long start = System.nanoTime();
        List<Turn> turns = TraceSource.read(args[0]).turns();
        System.out.printf("%d requests read in %.2f s%n", turns.size(), (System.nanoTime() - start) / 1e9);
        for (int i = 0; i < rounds; i++) {
            round(turns, replicas, blockSize, blocks);
        }
    }

    private static void round(List<Turn> turns, int replicas, int blockSize, int blocks) {
        EngineConfig config = EngineConfig.defaults().withBlockSize(blockSize);
        config = blocks > 0 ? config.withUsableBlocks(blocks) : config;
        long start = System.nanoTime();
        long cpuStart = CPU.getCurrentThreadCpuTime();
        ChainInterner chains = new ChainInterner(blockSize);
        TimedEngine[] engines = new TimedEngine[replicas];
        for (int i = 0; i < replicas; i++) {
            engines[i] = new TimedEngine(new Engine(config, chains, EngineListener.NONE), LAW);
        }
        for (Turn turn : turns) {
            engines[turn.index() % replicas].add(
                    turn.arrivalNanos(), turn.prompt(), turn.outputTokens(), turn.outputStart());
        }
        Sums sums = new Sums();
        for (TimedEngine engine : engines) {
            engine.advance(TimedEngine.NEVER);
            sums.add(engine);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (CPU.getCurrentThreadCpuTime() - cpuStart) / 1e9;
        System.out.printf("%.3f s (cpu %.3f)  %s chains %d%n", seconds, cpuSeconds, sums, chains.size());
    }

    /** What the replicas did, to see that two rounds or versions did the same. */
    private static final class Sums {
        private long prompt;
        private long cached;
        private long steps;
        private long generated;
        private long preempted;
        private long evicted;
        private long end;

        void add(TimedEngine engine) {
            EngineCounters counters = engine.engine().counters();
            prompt += counters.promptTokens();
            cached += counters.promptTokensCached();
            steps += counters.steps();
            generated += counters.generatedTokens();
            preempted += counters.preemptions();
            evicted += engine.engine().evictedBlocks();
            end = Math.max(end, engine.now());
        }

        @Override
        public String toString() {
            return String.format(
                    "prompt %d cached %d (%.4f %%) generated %d steps %d preempted %d evicted %d end %.1f s",
                    prompt, cached, 100.0 * cached / prompt, generated, steps, preempted, evicted, end / 1e9);
        }
    }
}
