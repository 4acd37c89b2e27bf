package dev.warmroute.benchmarks;

import dev.warmroute.recorder.format.TraceSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reading a trace of 10,000 rows of 1 to 48 block ids in Mooncake's format from a file, with its hash. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MooncakeBenchmark {
    private static final int ROWS = 10_000;

    private Path file;

    @Setup
    public void write() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        file = Files.createTempFile("warmroute-benchmark", ".jsonl");
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            for (int row = 0; row < ROWS; row++) {
                int blocks = 1 + random.nextInt(48);
                StringBuilder ids = new StringBuilder("0");
                for (int b = 1; b < blocks; b++) {
                    ids.append(", ").append(random.nextInt(200_000));
                }
                out.println("{\"timestamp\": " + row * 300 + ", \"input_length\": "
                        + (512 * blocks - random.nextInt(512)) + ", \"output_length\": " + (1 + random.nextInt(800))
                        + ", \"hash_ids\": [" + ids + "]}");
            }
        }
    }

    @TearDown
    public void delete() throws IOException {
        Files.delete(file);
    }

    @Benchmark
    public int read() {
        return TraceSource.read("mooncake:" + file).turns().size();
    }
}
