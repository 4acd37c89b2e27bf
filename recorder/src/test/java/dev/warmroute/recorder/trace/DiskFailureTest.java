package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power, or fills the disk, at one call after the other. How many of the calls are tried is
 * {@code -Dwarmroute.disk.failures} (a few by default, 100000 for all).
 */
class DiskFailureTest {
    /** Roomy, so that segments finished by {@link TraceWriter#roll} count as small. */
    private static final Limits LIMITS = new Limits(2000, Long.MAX_VALUE);

    private static final int TRIES = Integer.getInteger("warmroute.disk.failures", 4);
    private static final int ROLL_EVERY = 7;

    private final List<RecordedEvent> events = Traffic.events("warden", 2, 1, 5, 60, 3);

    @TempDir
    Path temp;

    private Path dir() {
        return temp.resolve("trace");
    }

    private TraceWriter open(TraceFiles files) {
        return TraceWriter.open(dir(), "0.1.0", "c", "w", LIMITS, files);
    }

    /** Records what is not there yet, with every kind of change that a recorder makes. */
    private void write(TraceWriter writer) {
        int n = 0;
        for (RecordedEvent e : events) {
            if (e.offset() >= writer.nextOffset(e.topic(), e.partition())) {
                writer.append(e);
            }
            if (++n % ROLL_EVERY == 0) {
                writer.roll();
                writer.compact(Retention.EVERYTHING);
            }
        }
    }

    private long callsOfAWholeRun() throws IOException {
        FailingDisk disk = new FailingDisk(0, false);
        try (TraceWriter writer = open(disk)) {
            write(writer);
        }
        assertThat(events.size() / ROLL_EVERY).isGreaterThan(16);
        assertThat(Recording.open(dir()).manifest().segments(Topic.DECISIONS))
                .as("segments were merged")
                .hasSizeLessThan(16);
        clear();
        return disk.calls();
    }

    private void clear() throws IOException {
        try (Stream<Path> files = Files.walk(dir())) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    @Test
    void afterAPowerCutNothingListedIsLostAndNothingElseIsRead() throws IOException {
        long calls = callsOfAWholeRun();
        for (long at : moments(calls)) {
            FailingDisk disk = new FailingDisk(at, true);
            TraceManifest listed = runUntilItFails(disk);
            disk.loseWhatWasNotForced(new SplittableRandom(at));
            requireNothingElseIsRead(at);
            try (TraceWriter again = open(new FailingDisk(0, false))) {
                assertThat(again.manifest().rows()).as("call %d", at).isGreaterThanOrEqualTo(listed.rows());
                write(again);
            }
            assertThat(all()).as("call %d of %d", at, calls).isEqualTo(events);
            clear();
        }
    }

    @Test
    void afterAFullDiskNothingBrokenIsListedThoughThereIsRoomAgain() throws IOException {
        long calls = callsOfAWholeRun();
        for (long at : moments(calls)) {
            runUntilItFails(new FailingDisk(at, false));
            requireNothingElseIsRead(at);
            try (TraceWriter again = open(new FailingDisk(0, false))) {
                write(again);
            }
            assertThat(all()).as("call %d of %d", at, calls).isEqualTo(events);
            clear();
        }
    }

    /** Spread over all calls, other ones for every number of tries. */
    private static List<Long> moments(long calls) {
        int tries = (int) Math.min(TRIES, calls);
        List<Long> out = new ArrayList<>();
        for (int i = 0; i < tries; i++) {
            out.add(1 + i * calls / tries + new SplittableRandom(i).nextLong(Math.max(1, calls / tries)));
        }
        return out;
    }

    /** Writes until the disk fails, and closes as a recorder would; returns what had been listed for certain. */
    private TraceManifest runUntilItFails(FailingDisk disk) {
        TraceManifest listed = TraceManifest.empty("0.1.0", "c", "w");
        TraceWriter writer;
        try {
            writer = open(disk);
        } catch (UserError e) {
            return listed;
        }
        try {
            int n = 0;
            for (RecordedEvent e : events) {
                writer.append(e);
                if (++n % ROLL_EVERY == 0) {
                    writer.roll();
                    listed = writer.manifest();
                    writer.compact(Retention.EVERYTHING);
                }
            }
            writer.close();
        } catch (UserError e) {
            assertThat(e).hasMessageContaining("No space left on device").hasMessageContaining("is safe");
        } finally {
            writer.close();
        }
        return listed;
    }

    private void requireNothingElseIsRead(long at) {
        if (!Recording.isRecording(dir())) {
            return;
        }
        Recording recording;
        try {
            recording = Recording.open(dir());
        } catch (UserError e) {
            assertThat(e).as("call %d", at).hasMessageContaining("is not listed in trace.json");
            return;
        }
        for (Topic topic : Topic.values()) {
            List<RecordedEvent> read = new ArrayList<>();
            try (EventCursor cursor = recording.events(topic)) {
                cursor.forEachRemaining(read::add);
            }
            List<RecordedEvent> written =
                    events.stream().filter(e -> e.topic() == topic).toList();
            assertThat(read).as("call %d, %s", at, topic).isEqualTo(written.subList(0, read.size()));
        }
    }

    private List<RecordedEvent> all() {
        Recording recording = Recording.open(dir());
        recording.verifyHashes();
        assertThat(recording.manifest().missing()).isEmpty();
        assertThat(recording.manifest().offsetGaps()).isEmpty();
        try (EventCursor cursor = recording.merged()) {
            List<RecordedEvent> out = new ArrayList<>();
            cursor.forEachRemaining(out::add);
            return out;
        }
    }
}
