package dev.warmroute.benchmarks;

import dev.warmroute.router.prompt.PromptReader;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
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

/** The fingerprint of a chat request from its JSON body, as the live router takes it before a decision by prefixes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FingerprintBenchmark {
    private static final int MESSAGE_BYTES = 2_000;

    @Param({"16", "256"})
    private int kibibytes;

    private byte[] body;
    private PromptReader reader;

    @Setup
    public void body() {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder json = new StringBuilder("{\"model\":\"m\",\"stream\":true,\"messages\":[");
        String separator = "";
        for (int message = 0; json.length() < kibibytes * 1024; message++) {
            json.append(separator)
                    .append("{\"role\":\"")
                    .append(message % 2 == 0 ? "user" : "assistant")
                    .append("\",\"content\":\"");
            for (int i = 0; i < MESSAGE_BYTES; i++) {
                json.append(i % 60 == 59 ? "\\n" : String.valueOf((char) ('a' + random.nextInt(26))));
            }
            json.append("\"}");
            separator = ",";
        }
        body = json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
        reader = new PromptReader("a salt of sixteen bytes or more".getBytes(StandardCharsets.UTF_8));
    }

    @Benchmark
    public int read() {
        return reader.read(body).blocks();
    }
}
