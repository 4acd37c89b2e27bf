package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.publish.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordCommandTest {
    @TempDir
    Path directory;

    @Test
    void onSigtermTheTraceIsClosedTheSummaryPrintedAndTheProcessGone() throws Exception {
        Path trace = directory.resolve("trace");
        Path said = directory.resolve("said");
        try (EmbeddedBroker broker = EmbeddedBroker.temporary();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            Topics.createMissing(admin, "warmroute", 1, Duration.ofDays(1));
            Process recorder = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+IgnoreUnrecognizedVMOptions",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "record",
                            "--bootstrap",
                            broker.bootstrap(),
                            "--out",
                            trace.toString()))
                    .redirectOutput(said.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                while (!Recording.isRecording(trace)) {
                    assertThat(recorder.waitFor(20, TimeUnit.MILLISECONDS))
                            .as("it records until it is stopped")
                            .isFalse();
                }
                recorder.destroy();
                // well below the time after which a shutdown no longer waits for its command
                assertThat(recorder.waitFor(25, TimeUnit.SECONDS)).isTrue();
            } finally {
                recorder.destroyForcibly();
            }
            assertThat(Files.readString(said)).contains("0 events recorded");
            assertThat(Recording.open(trace).manifest().closed()).isTrue();
        }
    }
}
