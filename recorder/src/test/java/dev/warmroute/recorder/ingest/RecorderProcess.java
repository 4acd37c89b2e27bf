package dev.warmroute.recorder.ingest;

import dev.warmroute.recorder.trace.TraceWriter.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A recorder in a process of its own, to be killed: it finishes segments all the time, so that a kill hits every step. */
final class RecorderProcess implements AutoCloseable {
    private final Process process;

    private RecorderProcess(Process process) {
        this.process = process;
    }

    /** Starts one. */
    static RecorderProcess start(String bootstrap, String prefix, Path directory, String group) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RecorderProcess.class.getName()));
        command.addAll(List.of(bootstrap, prefix, directory.toString(), group));
        return new RecorderProcess(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The process's own start. */
    public static void main(String[] args) {
        RecorderOptions options = RecorderOptions.of(args[0], args[1], Path.of(args[2]), "drill")
                .withRolling(new Limits(3000, Long.MAX_VALUE), Duration.ofMillis(100));
        new Recorder(args[3].isEmpty() ? options : options.withGroup(args[3]), p -> {}).run();
    }

    /** Lets it run for a while; false when it ended by itself. */
    boolean run(long millis) throws InterruptedException {
        return !process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends it as kill -9 does, with no chance to finish anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
