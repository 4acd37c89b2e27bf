package dev.warmroute.simulator.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Measures the engine alone on a trace in Mooncake's format: open loop, round robin, prompts already in memory.
 *
 * <p>Usage: {@code EngineSpeed FILE [replicas [blockSize [usableBlocks|0 [rounds]]]]}. Prints one line a round.
 */
final class EngineSpeed {
    private static final int HASH_TOKENS = 512;

    /** About an H100 with an 8B model. */
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private static final StepTimeLaw LAW = AffineLaw.ofSeconds(5.8e-3, 17.3e-6, 0, 40e-9, 6e-6);

    private record Request(long at, Prompt prompt, int output) {}

    private EngineSpeed() {}

    public static void main(String[] args) throws IOException {
        int replicas = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        int blockSize = args.length > 2 ? Integer.parseInt(args[2]) : 16;
        int blocks = args.length > 3 ? Integer.parseInt(args[3]) : 128_000;
        int rounds = args.length > 4 ? Integer.parseInt(args[4]) : 5;
        long start = System.nanoTime();
        List<Request> trace = read(Path.of(args[0]));
        System.out.printf("%d requests read in %.2f s%n", trace.size(), (System.nanoTime() - start) / 1e9);
        for (int i = 0; i < rounds; i++) {
            round(trace, replicas, blockSize, blocks);
        }
    }

    private static void round(List<Request> trace, int replicas, int blockSize, int blocks) {
        EngineConfig config = EngineConfig.defaults().withBlockSize(blockSize);
        config = blocks > 0 ? config.withUsableBlocks(blocks) : config;
        long start = System.nanoTime();
        long cpuStart = CPU.getCurrentThreadCpuTime();
        ChainInterner chains = new ChainInterner(blockSize);
        TimedEngine[] engines = new TimedEngine[replicas];
        for (int i = 0; i < replicas; i++) {
            engines[i] = new TimedEngine(new Engine(config, chains, EngineListener.NONE), LAW);
        }
        int n = 0;
        for (Request request : trace) {
            engines[n % replicas].add(request.at, request.prompt, request.output, Turn.freshOutput(n));
            n++;
        }
        long prompt = 0;
        long cached = 0;
        long steps = 0;
        long generated = 0;
        long preempted = 0;
        long evicted = 0;
        long end = 0;
        for (TimedEngine engine : engines) {
            engine.advance(TimedEngine.NEVER);
            EngineCounters counters = engine.engine().counters();
            prompt += counters.promptTokens();
            cached += counters.promptTokensCached();
            steps += counters.steps();
            generated += counters.generatedTokens();
            preempted += counters.preemptions();
            evicted += engine.engine().evictedBlocks();
            end = Math.max(end, engine.now());
        }
        long nanos = System.nanoTime() - start;
        long cpu = CPU.getCurrentThreadCpuTime() - cpuStart;
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(
                "%.3f s (cpu %.3f)  prompt %d cached %d (%.4f %%) generated %d steps %d preempted %d"
                        + " evicted %d chains %d end %.1f s heap %d MiB%n",
                nanos / 1e9, cpu / 1e9, prompt, cached, 100.0 * cached / prompt, generated, steps, preempted,
                evicted, chains.size(), end / 1e9, (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }

    private static List<Request> read(Path file) throws IOException {
        List<Request> trace = new ArrayList<>();
        try (InputStream in = file.toString().endsWith(".gz")
                        ? new GZIPInputStream(Files.newInputStream(file), 1 << 16)
                        : Files.newInputStream(file);
                JsonParser json = new JsonFactory().createParser(in)) {
            while (json.nextToken() == JsonToken.START_OBJECT) {
                trace.add(row(json));
            }
        }
        return trace;
    }

    private static Request row(JsonParser json) throws IOException {
        long at = 0;
        int input = 0;
        int output = 0;
        List<long[]> runs = new ArrayList<>(); // hash id, count
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "timestamp" -> at = json.getLongValue() * 1_000_000;
                case "input_length" -> input = json.getIntValue();
                case "output_length" -> output = json.getIntValue();
                case "hash_ids" -> {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        runs.add(new long[] {json.getLongValue()});
                    }
                }
                default -> json.skipChildren();
            }
        }
        Prompt.Builder prompt = Prompt.builder();
        int left = input;
        for (long[] run : runs) {
            prompt.span(run[0] * HASH_TOKENS, Math.min(left, HASH_TOKENS));
            left -= Math.min(left, HASH_TOKENS);
        }
        return new Request(at, prompt.build(), Math.max(1, output));
    }
}
