package dev.warmroute.it;

import dev.warmroute.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command of warmroute that runs as a process of its own, which can be killed. */
final class CliProcess implements AutoCloseable {
    private final Process process;
    private final MatchResult started;

    private CliProcess(Process process, MatchResult started) {
        this.process = process;
        this.started = started;
    }

    /**
     * Starts a command.
     *
     * @param ready matches the line with which it says that it answers
     */
    static CliProcess start(Pattern ready, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            StringBuilder said = new StringBuilder();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                said.append(line).append('\n');
                Matcher matcher = ready.matcher(line);
                if (matcher.find()) {
                    Thread.ofVirtual().start(() -> output.lines().forEach(l -> {}));
                    return new CliProcess(process, matcher.toMatchResult());
                }
            }
            throw new AssertionError(String.join(" ", arguments) + " did not start:\n" + said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A number in the line with which it said that it answers. */
    int number(int group) {
        return Integer.parseInt(started.group(group));
    }

    /** Stops it where it is, until {@link #goOn}: it keeps what it holds, and does nothing. */
    void pause() {
        signal("STOP");
    }

    void goOn() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@code kill -9}: nothing is finished, flushed or closed. */
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new AssertionError("a process outlives SIGKILL");
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
