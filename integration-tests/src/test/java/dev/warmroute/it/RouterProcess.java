package dev.warmroute.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** {@code warmroute router} as a process of its own, which can be killed. */
final class RouterProcess implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("router on http://[^:]+:(\\d+), .*http://[^:]+:(\\d+)/");

    private final CliProcess process;

    private RouterProcess(CliProcess process) {
        this.process = process;
    }

    /** Starts a router; when this returns, it answers. */
    static RouterProcess start(Path directory, String yaml) {
        try {
            Path config = Files.writeString(directory.resolve("router.yaml"), yaml);
            return new RouterProcess(CliProcess.start(STARTED, "router", "-c", config.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return process.number(1);
    }

    String admin(String path) {
        return "http://127.0.0.1:" + process.number(2) + path;
    }

    /** As {@code kill -9}: nothing is finished, flushed or closed. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        kill();
    }
}
