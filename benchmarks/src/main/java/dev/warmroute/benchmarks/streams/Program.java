package dev.warmroute.benchmarks.streams;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, which is talked to a line at a time. */
final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader says;
    private final BufferedWriter hears;

    private Program(ProcessBuilder builder, Path log) {
        try {
            process = builder.redirectError(log.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        says = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        hears = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** A main class of the benchmarks. */
    static Program java(Path log, String heap, Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return new Program(new ProcessBuilder(command), log);
    }

    /** A command of {@code bin/warmroute}, as an operator starts it. */
    static Program warmroute(Path log, String options, String... args) {
        List<String> command = new ArrayList<>(List.of("bin/warmroute"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("WARMROUTE_OPTS", options);
        return new Program(builder, log);
    }

    Watched watched() {
        return new Watched(process.pid());
    }

    /** The next line. */
    String line() {
        try {
            String line = says.readLine();
            if (line == null) {
                throw new IllegalStateException("a program has ended: " + process.info());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads up to a line that begins so. */
    String lineThatBegins(String with) {
        String line = line();
        while (!line.startsWith(with)) {
            line = line();
        }
        return line;
    }

    /** Says a line and returns the answer. */
    String ask(String line) {
        try {
            hears.write(line + '\n');
            hears.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
