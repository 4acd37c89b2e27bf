package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A long recording of a healthy router holds nothing to find fault with; how long is {@code -Dwarmroute.verify.requests}. */
class CleanRecordingTest {
    private static final int REQUESTS = Integer.getInteger("warmroute.verify.requests", 10_000);

    @TempDir
    Path dir;

    @Test
    void nothingIsFoundInALongCleanRecording() {
        long start = System.nanoTime();
        try (TraceWriter writer = TraceWriter.open(dir, "0.1.0", "", "", Limits.DEFAULT)) {
            new Traffic("warden", 8, 4, 2000, 1, writer::append).run(REQUESTS);
        }
        long written = System.nanoTime();
        Recording recording = Recording.open(dir);
        Verification v = TraceVerifier.verify(recording);
        System.out.printf(
                "%,d requests, %,d events: written in %.1f s, verified in %.1f s%n",
                REQUESTS, recording.manifest().rows(), (written - start) / 1e9, (System.nanoTime() - written) / 1e9);
        v.checks().forEach(System.out::println);
        assertThat(v.differences()).isEmpty();
        assertThat(v.ok()).as("%s", v.checks()).isTrue();
        assertThat(v.decisions()).isEqualTo(REQUESTS);
        assertThat(v.mismatches()).isZero();
    }
}
