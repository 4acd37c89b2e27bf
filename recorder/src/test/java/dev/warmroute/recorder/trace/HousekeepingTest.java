package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recorder does to segments that are small or old. */
class HousekeepingTest {
    private static final Limits ROOMY = new Limits(4000, Long.MAX_VALUE);

    private final List<RecordedEvent> events = Traffic.events("warden", 3, 1, 10, 300, 5);

    @TempDir
    Path dir;

    private TraceWriter open() {
        return TraceWriter.open(dir, "0.1.0", "c", "w", ROOMY, new FailingDisk(0, false));
    }

    private void append(TraceWriter writer, List<RecordedEvent> some) {
        int n = 0;
        for (RecordedEvent e : some) {
            writer.append(e);
            if (++n % 30 == 0) {
                writer.roll();
            }
        }
        writer.roll();
    }

    private List<RecordedEvent> read() {
        try (EventCursor cursor = Recording.open(dir).merged()) {
            List<RecordedEvent> out = new ArrayList<>();
            cursor.forEachRemaining(out::add);
            return out;
        }
    }

    private long parquetFiles() throws IOException {
        try (var files = Files.walk(dir)) {
            return files.filter(f -> f.toString().contains(".parquet")).count();
        }
    }

    @Test
    void manySmallSegmentsBecomeOneWithTheSameEvents() throws IOException {
        try (TraceWriter writer = open()) {
            append(writer, events);
            int before = writer.manifest().segments(Topic.DECISIONS).size();
            while (writer.compact(Retention.EVERYTHING)) {
                // until there is nothing to merge
            }
            assertThat(before).isGreaterThan(16);
            assertThat(writer.manifest().segments(Topic.DECISIONS)).hasSize(1);
        }
        Recording recording = Recording.open(dir);
        recording.verifyHashes();
        assertThat(parquetFiles()).isEqualTo(recording.manifest().segments().size());
        assertThat(read()).isEqualTo(events);
        assertThat(recording.manifest().offsetGaps()).isEmpty();
        assertThat(recording.manifest().missing()).isEmpty();
    }

    @Test
    void aGapBetweenMergedSegmentsIsListedOnce() {
        RecordedEvent gone = events.stream()
                .filter(e -> e.topic() == Topic.DECISIONS)
                .skip(60)
                .findFirst()
                .orElseThrow();
        try (TraceWriter writer = open()) {
            append(writer, events.stream().filter(e -> e != gone).toList());
            while (writer.compact(Retention.EVERYTHING)) {
                // until there is nothing to merge
            }
        }
        assertThat(Recording.open(dir).manifest().offsetGaps()).hasSize(1);
        assertThat(read()).hasSize(events.size() - 1);
    }

    @Test
    void aDamagedSegmentIsLeftAloneAndRecordingGoesOn() throws IOException {
        try (TraceWriter writer = open()) {
            int part = events.size() * 4 / 5;
            append(writer, events.subList(0, part));
            Segment damaged = writer.manifest().segments(Topic.DECISIONS).get(3);
            byte[] bytes = Files.readAllBytes(dir.resolve(damaged.file()));
            bytes[bytes.length / 2] ^= 1;
            Files.write(dir.resolve(damaged.file()), bytes);
            assertThat(writer.compact(Retention.EVERYTHING))
                    .as("decisions come first")
                    .isFalse();
            assertThat(writer.compact(Retention.EVERYTHING)).as("then requests").isTrue();
            assertThat(writer.manifest().segments()).contains(damaged);
            append(writer, events.subList(part, events.size()));
            assertThat(writer.manifest().rows()).isEqualTo(events.size());
        }
    }

    @Test
    void whatIsMergedIsStillDroppedWithItsAge() {
        long first = events.getFirst().timeUs();
        long all = events.getLast().timeUs() - first;
        long age = all / 4;
        Retention keep = new Retention(Optional.of(Duration.ofNanos(age * 1000)), OptionalLong.empty());
        try (TraceWriter writer = open()) {
            int n = 0;
            boolean merged = false;
            for (RecordedEvent e : events) {
                writer.append(e);
                if (++n % 2 == 0) {
                    writer.roll();
                    writer.expire(keep, e.timeUs());
                    merged |= writer.compact(keep);
                    long oldest = e.timeUs() - age;
                    assertThat(writer.manifest().segments()).allMatch(s -> s.firstTimeUs() >= oldest - age / 2);
                }
            }
            assertThat(merged).isTrue();
        }
    }

    @Test
    void whatIsOlderThanItsAgeIsDroppedAndNotMissed() throws IOException {
        long now = events.getLast().timeUs();
        long middle = events.get(events.size() / 2).timeUs();
        Retention half = new Retention(Optional.of(Duration.ofNanos((now - middle) * 1000)), OptionalLong.empty());
        try (TraceWriter writer = open()) {
            append(writer, events);
            assertThat(writer.expire(half, now)).isPositive();
            assertThat(writer.expire(half, now)).isZero();
        }
        List<RecordedEvent> left = read();
        assertThat(left.size()).isBetween(events.size() / 2, events.size() * 2 / 3);
        assertThat(left).allMatch(events::contains);
        assertThat(left)
                .containsAll(events.stream().filter(e -> e.timeUs() >= middle).toList());
        Recording recording = Recording.open(dir);
        assertThat(parquetFiles()).isEqualTo(recording.manifest().segments().size());
        assertThat(recording.manifest().missing()).isEmpty();
        assertThat(recording.manifest().expired()).hasSize(1);
        Verification v = TraceVerifier.verify(recording);
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(v.decisions()).isBetween(140L, 240L);
    }

    @Test
    void whatIsTooMuchIsDroppedOldestFirst() {
        try (TraceWriter writer = open()) {
            append(writer, events);
            long all = writer.manifest().segments().stream()
                    .mapToLong(Segment::bytes)
                    .sum();
            writer.expire(new Retention(Optional.empty(), OptionalLong.of(all / 3)), 0);
            assertThat(writer.manifest().segments().stream()
                            .mapToLong(Segment::bytes)
                            .sum())
                    .isLessThanOrEqualTo(all / 3);
        }
        List<RecordedEvent> left = read();
        assertThat(left.getLast()).isEqualTo(events.getLast());
        assertThat(left).hasSizeGreaterThan(events.size() / 5);
    }

    @Test
    void afterDroppingACrashAndARestartNothingIsMissed() {
        int half = events.size() / 2;
        TraceWriter first = open();
        append(first, events.subList(0, half));
        long all =
                first.manifest().segments().stream().mapToLong(Segment::bytes).sum();
        first.expire(new Retention(Optional.empty(), OptionalLong.of(all / 2)), 0);
        first.abandon();
        try (TraceWriter second = open()) {
            append(second, events.subList(half, events.size()));
        }
        TraceManifest manifest = Recording.open(dir).manifest();
        assertThat(manifest.missing()).isEmpty();
        assertThat(manifest.offsetGaps()).isEmpty();
        assertThat(read().getLast()).isEqualTo(events.getLast());
    }

    @Test
    void aPartitionWhoseSegmentsAreAllGoneGoesOnBehindThem() {
        int half = events.size() / 2;
        try (TraceWriter writer = open()) {
            append(writer, events.subList(0, half));
            long next = writer.nextOffset(Topic.DECISIONS, 0);
            writer.expire(new Retention(Optional.empty(), OptionalLong.of(1)), 0);
            assertThat(writer.manifest().segments()).isEmpty();
            assertThat(writer.nextOffset(Topic.DECISIONS, 0)).isEqualTo(next);
            append(writer, events.subList(half, events.size()));
        }
        assertThat(read()).isEqualTo(events.subList(half, events.size()));
        assertThat(Recording.open(dir).manifest().offsetGaps()).isEmpty();
    }
}
