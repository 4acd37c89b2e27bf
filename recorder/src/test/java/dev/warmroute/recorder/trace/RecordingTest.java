package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
    private static final Limits SMALL = new Limits(150, Long.MAX_VALUE);

    @TempDir
    Path temp;

    private final List<RecordedEvent> events = Traffic.events("warden", 4, 3, 20, 1000, 7);

    private Path dir() {
        return temp.resolve("trace");
    }

    private TraceWriter writer(Limits limits) {
        return TraceWriter.open(dir(), "0.1.0", "cluster-1", "warmroute", limits);
    }

    private Path write(Limits limits) {
        try (TraceWriter writer = writer(limits)) {
            events.forEach(writer::append);
        }
        return dir();
    }

    private static List<RecordedEvent> all(EventCursor cursor) {
        try (cursor) {
            List<RecordedEvent> out = new ArrayList<>();
            cursor.forEachRemaining(out::add);
            return out;
        }
    }

    private static void assertSame(List<RecordedEvent> read, List<RecordedEvent> written) {
        assertThat(read).isEqualTo(written);
    }

    @Test
    void whatWasWrittenIsReadBackToTheByteInOrderOfPartitionAndOffset() {
        Recording recording = Recording.open(write(SMALL));
        for (Topic topic : Topic.values()) {
            List<RecordedEvent> written = events.stream()
                    .filter(e -> e.topic() == topic)
                    .sorted(Comparator.comparingInt(RecordedEvent::partition).thenComparingLong(RecordedEvent::offset))
                    .toList();
            assertSame(all(recording.events(topic)), written);
        }
        assertThat(recording.manifest().rows()).isEqualTo(events.size());
        assertThat(recording.manifest().segments(Topic.DECISIONS)).hasSizeGreaterThan(6);
        recording.verifyHashes();
    }

    @Test
    void theMergedViewIsTheRoutersSequence() {
        Recording recording = Recording.open(write(SMALL));
        assertSame(all(recording.merged()), events);
        assertThat(all(recording.merged(List.of(Topic.REQUESTS, Topic.CONTROL))))
                .extracting(RecordedEvent::topic)
                .containsOnly(Topic.REQUESTS, Topic.CONTROL);
    }

    @Test
    void theManifestSaysWhatTheTraceHolds() {
        TraceManifest manifest = Recording.open(write(Limits.DEFAULT)).manifest();
        assertThat(manifest.facts().routerVersions()).containsExactly("0.1.0");
        assertThat(manifest.facts().engineVersions()).containsExactly("0.32.0");
        assertThat(manifest.facts().saltIds()).containsExactly("5a17", "salt-1");
        assertThat(manifest.facts().models()).containsExactly("m");
        assertThat(manifest.facts().replicas()).containsExactly("r0", "r1", "r2", "r3");
        assertThat(manifest.facts().policies())
                .hasSize(1)
                .first()
                .extracting(TraceManifest.Policy::name)
                .isEqualTo("warden");
        assertThat(manifest.events())
                .containsEntry("routing.decision.v1", 1000L)
                .containsEntry("request.completed.v1", 1000L);
        assertThat(manifest.writers()).hasSize(1);
        assertThat(manifest.writers().getFirst().ranges())
                .containsExactly(new SequenceRanges.Range(0, events.size() - 1));
        assertThat(manifest.missing()).isEmpty();
        assertThat(manifest.offsetGaps()).isEmpty();
        assertThat(manifest.firstTimeUs()).hasValue(Traffic.START_US);
        assertThat(manifest.lastTimeUs()).hasValue(events.getLast().timeUs());
    }

    @Test
    void aSummaryNeedsNoSegment() {
        Recording recording = Recording.open(write(SMALL));
        TraceSummary summary = TraceSummary.of(recording);
        assertThat(summary.totalEvents()).isEqualTo(events.size());
        assertThat(summary.routers()).containsExactly("router-1");
        assertThat(summary.firstTime()).hasValue("2026-09-21T14:13:20Z");
        assertThat(summary.seconds()).isEqualTo((events.getLast().timeUs() - Traffic.START_US) / 1e6);
        assertThat(summary.segments()).isEqualTo(recording.manifest().segments().size());
        assertThat(summary.whole()).isTrue();
        assertThat(summary.sha256()).isEqualTo(recording.sha256()).hasSize(64);
    }

    @Test
    void aWriterThatCrashedGoesOnWhereItsManifestEnds() {
        TraceWriter first = writer(SMALL);
        events.subList(0, 1500).forEach(first::append);
        first.abandon();
        TraceManifest crashed = Recording.open(dir()).manifest();
        assertThat(crashed.rows()).isBetween(1L, 1499L);
        assertThat(crashed.closed()).isFalse();
        assertThat(crashed.writers()).isEmpty();

        try (TraceWriter second = writer(SMALL)) {
            assertThat(Recording.files(dir())).noneMatch(f -> f.endsWith(".tmp"));
            for (RecordedEvent e : events) {
                if (e.offset() >= second.nextOffset(e.topic(), e.partition())) {
                    second.append(e);
                }
            }
        }
        Recording recording = Recording.open(dir());
        assertSame(all(recording.merged()), events);
        assertThat(recording.manifest().closed()).isTrue();
        assertThat(recording.manifest().missing()).isEmpty();
        assertThat(recording.manifest().writers().getFirst().ranges())
                .containsExactly(new SequenceRanges.Range(0, events.size() - 1));
    }

    @Test
    void aSegmentThatWasRenamedButNotListedIsNeitherReadNorKept() throws IOException {
        write(SMALL);
        Path stray = dir().resolve("decisions/part-99999.parquet");
        Files.copy(
                dir().resolve(Recording.open(dir())
                        .manifest()
                        .segments(Topic.DECISIONS)
                        .getFirst()
                        .file()),
                stray);
        assertThatThrownBy(() -> Recording.open(dir()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("decisions/part-99999.parquet is not listed in trace.json")
                .hasMessageContaining("record into this directory again");
        writer(SMALL).close();
        assertThat(stray).doesNotExist();
        assertSame(all(Recording.open(dir()).merged()), events);
    }

    @Test
    void aDirectoryThatIsNoTraceIsRefused() throws IOException {
        Files.createDirectories(dir().resolve("decisions"));
        assertThatThrownBy(() -> Recording.open(dir()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no trace.json");
        Files.writeString(dir().resolve("decisions/mine.parquet"), "x");
        assertThatThrownBy(() -> writer(SMALL))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a whole trace");
        assertThat(dir().resolve("decisions/mine.parquet")).exists();
        Files.delete(dir().resolve("decisions/mine.parquet"));
        Files.writeString(
                dir().resolve("trace.json"), "{\"schema_version\": 99, \"written_by\": \"9.9\", \"segments\": [");
        assertThatThrownBy(() -> Recording.open(dir()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("trace.json is damaged");
        write(dir().resolve("trace.json"), "\"schema_version\" : 3", "\"schema_version\" : 99");
        assertThatThrownBy(() -> Recording.open(dir()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("reads version 3");
    }

    private void write(Path manifest, String from, String to) throws IOException {
        Files.delete(manifest);
        write(SMALL);
        Files.writeString(manifest, Files.readString(manifest).replace(from, to));
    }

    @Test
    void oneWriterAtATimeAndOneSourceForEver() {
        TraceWriter writer = writer(SMALL);
        assertThatThrownBy(() -> writer(SMALL))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("another recorder writes");
        writer.close();
        assertThatThrownBy(() -> TraceWriter.open(dir(), "0.1.0", "cluster-2", "warmroute", SMALL))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a trace of the topics warmroute.* of cluster 'cluster-1'");
    }

    @Test
    void holesInOffsetsAndSequencesAreListed() {
        List<RecordedEvent> lossy = new ArrayList<>();
        Traffic traffic = new Traffic("random", 2, 1, 5, 3, lossy::add);
        traffic.started();
        traffic.decide();
        long lostFrom = traffic.sequence();
        traffic.lose();
        traffic.lose();
        traffic.decide();
        long missing = traffic.sequence();
        traffic.lose();
        traffic.decide();
        traffic.publish(id -> new dev.warmroute.router.event.ControlEvent.EventsLost(
                1, lostFrom, lostFrom + 1, java.util.Map.of("decisions", 2L), "buffer full", id));
        try (TraceWriter writer = writer(SMALL)) {
            for (RecordedEvent e : lossy) {
                if (e.topic() != Topic.DECISIONS || e.offset() != 1) {
                    writer.append(e);
                }
            }
        }
        TraceManifest manifest = Recording.open(dir()).manifest();
        assertThat(manifest.lost()).hasSize(1);
        assertThat(manifest.lost().getFirst().events()).isEqualTo(2);
        assertThat(manifest.offsetGaps()).containsExactly(new OffsetGap("decisions", 0, 1, 1, OffsetGap.Reason.GONE));
        // the decision that was left out stood between the lost ones and the missing one
        assertThat(manifest.missing())
                .containsExactly(new TraceManifest.Missing("router-1", Traffic.START_US / 1000, missing - 1, missing));
    }

    @Test
    void columnsSayWhatTheEventsSay() {
        Recording recording = Recording.open(write(SMALL));
        EventCodec codec = new EventCodec();
        List<RecordedEvent> decisions = all(recording.events(Topic.DECISIONS));
        int row = 0;
        Set<String> kinds = new HashSet<>();
        try (ColumnCursor columns =
                recording.columns(Topic.DECISIONS, "decided_us", "session", "chosen", "kind", "propensity")) {
            while (columns.nextBatch()) {
                for (int i = 0; i < columns.rows(); i++) {
                    RoutingDecision d = (RoutingDecision) decisions.get(row++).event(codec);
                    assertThat(columns.longs(0)[i]).isEqualTo(d.decidedUs());
                    assertThat(columns.isNull(1, i))
                            .isEqualTo(d.session().hash().isEmpty());
                    assertThat(columns.texts(1)[i]).isEqualTo(d.session().hash().orElse(null));
                    assertThat(columns.texts(2)[i]).isEqualTo(d.chosen().orElse(null));
                    assertThat(columns.texts(3)[i]).isEqualTo(d.kind().wireName());
                    assertThat(columns.doubles(4)[i]).isEqualTo(d.propensity());
                    kinds.add(columns.texts(3)[i]);
                }
            }
        }
        assertThat(row).isEqualTo(1000);
        assertThat(kinds).contains("placed", "sticky", "balanced");
    }

    @Test
    void valuesThatAreNoJsonAndTombstonesAreKeptAsTheyAre() {
        RecordedEvent broken =
                new RecordedEvent(Topic.DECISIONS, 0, 5, 9, "", "", "", "", "", "", -1, "", new byte[] {1, 2, 3});
        RecordedEvent tombstone = new RecordedEvent(
                Topic.HOMES, 0, 0, 9, "s1", "x", "home.v1", "/router/a", "s1", "", 3, "", new byte[0]);
        try (TraceWriter writer = writer(SMALL)) {
            writer.append(broken);
            writer.append(tombstone);
        }
        Recording recording = Recording.open(dir());
        assertSame(all(recording.events(Topic.DECISIONS)), List.of(broken));
        assertSame(all(recording.events(Topic.HOMES)), List.of(tombstone));
        assertThat(recording.manifest().facts().unreadable()).isEqualTo(1);
        assertThat(all(recording.events(Topic.DECISIONS)).getFirst().timeUs()).isEqualTo(9000);
    }

    @Test
    void theSameEventsGiveTheSameManifest() throws IOException {
        byte[] first = Files.readAllBytes(write(SMALL).resolve("trace.json"));
        try (var files = Files.walk(dir())) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
        assertThat(Files.readAllBytes(write(SMALL).resolve("trace.json"))).isEqualTo(first);
    }
}
