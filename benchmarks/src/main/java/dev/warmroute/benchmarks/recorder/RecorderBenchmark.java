package dev.warmroute.benchmarks.recorder;

import dev.warmroute.benchmarks.router.Broker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decisions from the embedded broker into Parquet, and back: {@code RecorderBenchmark [EVENTS [HEAP [DIRECTORY]]]}. Broker,
 * filling, recorder and reader are processes of their own; the recorder has the heap that is named, 512m by default.
 */
public final class RecorderBenchmark {
    private RecorderBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        String events = args.length > 0 ? args[0] : "1000000";
        String heap = args.length > 1 ? args[1] : "512m";
        Path directory = args.length > 2 ? Path.of(args[2]) : Files.createTempDirectory("recorder-benchmark");
        Path trace = directory.resolve("trace");
        Process broker = java("512m", Broker.class, directory.resolve("broker").toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(broker.getInputStream(), StandardCharsets.UTF_8))) {
            String bootstrap = said.readLine();
            run(java("1g", Fill.class, bootstrap, events));
            run(java(heap, Record.class, bootstrap, trace.toString()));
        } finally {
            broker.destroy();
            broker.waitFor();
        }
        run(java(heap, Read.class, trace.toString()));
        if (args.length < 3) {
            delete(directory);
        }
    }

    private static ProcessBuilder java(String heap, Class<?> main, String... args) {
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
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static void run(ProcessBuilder program) throws IOException, InterruptedException {
        int code =
                program.redirectOutput(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(
                    program.command().get(program.command().indexOf("-cp") + 2) + " ended with " + code);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
