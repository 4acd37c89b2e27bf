package dev.warmroute.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real vLLM server on loopback (CPU build, a model of two layers with random weights): the scheduler, the cache, the usage
 * fields and /metrics are the real ones. The folder is what {@code ../shared/tools/real-vllm/install.sh} fills.
 */
final class RealReplica implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private final Process process;
    private final int port;
    private final Path log;

    private RealReplica(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** The folder with a vLLM: {@code -Dwarmroute.vllm=DIR} or the variable WARMROUTE_VLLM; empty when neither is set. */
    static Optional<Path> installed() {
        String folder = System.getProperty("warmroute.vllm", System.getenv().getOrDefault("WARMROUTE_VLLM", ""));
        return Optional.of(folder)
                .filter(f -> !f.isEmpty())
                .map(Path::of)
                .filter(f -> Files.exists(f.resolve("venv/bin/vllm")));
    }

    /**
     * Starts a server; {@link #awaitReady} says when it answers.
     *
     * @param blocks {@code --num-gpu-blocks-override}, of 32 tokens each
     */
    static RealReplica start(Path vllm, Path logs, int blocks, String... more) {
        try {
            int port;
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            List<String> command = new ArrayList<>(List.of(
                    vllm.resolve("venv/bin/vllm").toString(),
                    "serve",
                    "tiny",
                    "--load-format",
                    "dummy",
                    "--served-model-name",
                    "tiny",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    Integer.toString(port),
                    "--num-gpu-blocks-override",
                    Integer.toString(blocks),
                    "--block-size",
                    "32",
                    "--max-num-seqs",
                    "32",
                    "--max-num-batched-tokens",
                    "512",
                    "--max-model-len",
                    "8192",
                    "--enable-prompt-tokens-details",
                    "--enforce-eager",
                    "--disable-uvicorn-access-log"));
            command.addAll(List.of(more));
            Path log = logs.resolve("vllm-" + port + ".log");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(vllm.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment()
                    .putAll(Map.of(
                            "VLLM_CPU_KVCACHE_SPACE",
                            "1",
                            "HF_HUB_OFFLINE",
                            "1",
                            "TRANSFORMERS_OFFLINE",
                            "1",
                            "VLLM_NO_USAGE_STATS",
                            "1",
                            "DO_NOT_TRACK",
                            "1",
                            "VLLM_CPU_OMP_THREADS_BIND",
                            "nobind",
                            "OMP_NUM_THREADS",
                            "1",
                            "VLLM_LOGGING_LEVEL",
                            "WARNING"));
            return new RealReplica(builder.start(), port, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Whether the server answers; fails if its process has ended. */
    boolean answers() {
        if (!process.isAlive()) {
            throw new AssertionError("vLLM ended with " + process.exitValue() + ":\n" + said());
        }
        try {
            HttpRequest health = HttpRequest.newBuilder(URI.create(url() + "/health"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return HTTP.send(health, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** A counter of /metrics as it is now, by its name without {@code vllm:} and {@code _total}. */
    double counter(String name) throws Exception {
        String page = HTTP.send(
                        HttpRequest.newBuilder(URI.create(url() + "/metrics")).build(), BodyHandlers.ofString())
                .body();
        Matcher line =
                Pattern.compile("(?m)^vllm:" + name + "_total\\{[^}]*} (\\S+)$").matcher(page);
        if (!line.find()) {
            throw new AssertionError("no counter " + name + " on the page of " + url());
        }
        return Double.parseDouble(line.group(1));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
