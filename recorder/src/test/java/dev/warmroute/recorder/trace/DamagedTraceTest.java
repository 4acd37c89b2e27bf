package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a disk, a copy or a hand did to a trace's files, it is refused by name and never read as data. */
class DamagedTraceTest {
    @TempDir
    Path dir;

    private Segment segment;
    private Path file;
    private byte[] whole;
    private Path manifest;
    private byte[] wholeManifest;

    @BeforeEach
    void record() throws IOException {
        try (TraceWriter writer = TraceWriter.open(dir, "0.1.0", "c", "w", new Limits(60, Long.MAX_VALUE))) {
            Traffic.events("warden", 4, 1, 20, 150, 7).forEach(writer::append);
        }
        segment = Recording.open(dir).manifest().segments(Topic.DECISIONS).get(1);
        file = dir.resolve(segment.file());
        whole = Files.readAllBytes(file);
        manifest = dir.resolve(TraceManifest.FILE);
        wholeManifest = Files.readAllBytes(manifest);
    }

    private void readDecisions() {
        try (EventCursor cursor = Recording.open(dir).events(Topic.DECISIONS)) {
            cursor.forEachRemaining(e -> {});
        }
    }

    private void readAColumn() {
        try (ColumnCursor columns = Recording.open(dir).columns(Topic.DECISIONS, "kind")) {
            while (columns.nextBatch()) {
                assertThat(columns.rows()).isPositive();
            }
        }
    }

    private static void assertRefused(ThrowingCallable reading, String... words) {
        assertThatThrownBy(reading).isInstanceOf(UserError.class).hasMessageContainingAll(words);
    }

    @Test
    void aSegmentThatIsMissing() throws IOException {
        Files.delete(file);
        assertRefused(() -> Recording.open(dir), segment.file(), "is missing", "60 events", "take it from a copy");
    }

    @Test
    void aSegmentCutOffAnywhere() throws IOException {
        for (int length : new int[] {0, 1, 4, whole.length / 2, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertRefused(
                    () -> Recording.open(dir), segment.file(), "has " + length + " bytes", "was cut off or changed");
        }
    }

    @Test
    void aSegmentOfZeros() throws IOException {
        Files.write(file, new byte[whole.length]);
        assertRefused(this::readDecisions, segment.file(), "is damaged", "take the file from a copy of the trace");
    }

    @Test
    void aSegmentWithOneBitFlippedAnywhere() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 60; i++) {
            byte[] flipped = whole.clone();
            flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, flipped);
            assertRefused(this::readDecisions, segment.file(), "is damaged: its checksum is");
            assertRefused(this::readAColumn, segment.file(), "is damaged: its checksum is");
            assertRefused(Recording.open(dir)::verifyHashes, segment.file(), "is not what was recorded");
        }
    }

    @Test
    void aSegmentInPlaceOfAnother() throws IOException {
        Files.copy(
                dir.resolve(Recording.open(dir)
                        .manifest()
                        .segments(Topic.DECISIONS)
                        .getFirst()
                        .file()),
                file,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(this::readDecisions).isInstanceOf(UserError.class).hasMessageContaining(segment.file());
    }

    @Test
    void aManifestThatIsMissing() throws IOException {
        Files.delete(manifest);
        assertRefused(() -> Recording.open(dir), "is not a trace directory: it has no trace.json");
        assertRefused(
                () -> TraceWriter.open(dir, "0.1.0", "c", "w", Limits.DEFAULT),
                "but no trace.json",
                "not a whole trace");
        assertThat(file).exists();
    }

    @Test
    void aManifestCutOffAnywhere() throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 60; i++) {
            int length = i == 0 ? 0 : i == 1 ? wholeManifest.length - 1 : random.nextInt(wholeManifest.length);
            Files.write(manifest, Arrays.copyOf(wholeManifest, length));
            assertRefused(() -> Recording.open(dir), "trace.json", "take it from a copy of the trace");
            assertRefused(() -> TraceWriter.open(dir, "0.1.0", "c", "w", Limits.DEFAULT), "trace.json");
        }
    }

    @Test
    void aManifestOfZeros() throws IOException {
        Files.write(manifest, new byte[wholeManifest.length]);
        assertRefused(() -> Recording.open(dir), "trace.json is damaged");
    }

    @Test
    void aManifestWithOneBitFlippedAnywhere() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 300; i++) {
            byte[] flipped = wholeManifest.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(manifest, flipped);
            assertRefused(() -> Recording.open(dir), "trace.json");
        }
    }

    @Test
    void aManifestEditedByHand() throws IOException {
        Files.writeString(manifest, new String(wholeManifest).replace("\"prefix\" : \"w\"", "\"prefix\" : \"v\""));
        assertRefused(() -> Recording.open(dir), "trace.json was changed or cut off");
    }
}
