package dev.warmroute.it;

import dev.warmroute.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code warmroute router} as a process of its own, which can be killed. */
final class RouterProcess implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("router on http://[^:]+:(\\d+), .*http://[^:]+:(\\d+)/");

    private final Process process;
    private final int port;
    private final int adminPort;

    private RouterProcess(Process process, int port, int adminPort) {
        this.process = process;
        this.port = port;
        this.adminPort = adminPort;
    }

    /** Starts a router; when this returns, it answers. */
    static RouterProcess start(Path directory, String yaml) {
        try {
            Path config = Files.writeString(directory.resolve("router.yaml"), yaml);
            Process process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-Xmx512m",
                            "-XX:+IgnoreUnrecognizedVMOptions",
                            "--sun-misc-unsafe-memory-access=allow",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "router",
                            "-c",
                            config.toString()))
                    .redirectErrorStream(true)
                    .start();
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            StringBuilder said = new StringBuilder();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                said.append(line).append('\n');
                Matcher started = STARTED.matcher(line);
                if (started.find()) {
                    Thread.ofVirtual().start(() -> output.lines().forEach(l -> {}));
                    return new RouterProcess(process, Integer.parseInt(started.group(1)), Integer.parseInt(started.group(2)));
                }
            }
            throw new AssertionError("the router did not start:\n" + said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    String admin(String path) {
        return "http://127.0.0.1:" + adminPort + path;
    }

    /** As {@code kill -9}: nothing is finished, flushed or closed. */
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the router outlives SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
