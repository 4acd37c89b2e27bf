package dev.warmroute.recorder.trace;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a trace directory holds: only the segments that it lists are part of the trace. Written whole, beside the old one
 * and renamed over it, so a reader sees one state or the other; its last field is a hash of all the others, so that a
 * manifest of which a byte has changed is refused.
 *
 * @param schemaVersion version of this layout
 * @param writtenBy version of warmroute that wrote it
 * @param cluster id of the Kafka cluster; empty when the trace did not come from one
 * @param prefix prefix of the topics; empty when the trace did not come from Kafka
 * @param topicIds id of each topic on the broker, by name without prefix: a topic made anew under an old name has another
 * @param closed whether its recorder ended in order; if not, it is at work or crashed, and {@code writers} and {@code
 *     missing} say nothing
 * @param positions how far each partition has been recorded
 * @param segments in the order in which they were finished
 * @param writers which sequence numbers of each router process are in the segments; of a trace of some conversations only
 *     the first and the last
 * @param lost what the routers said they could not write
 * @param missing sequence numbers of a router process that are neither here nor said to be lost
 * @param offsetGaps offsets that are not in the trace, though events before and behind them are
 * @param expired how far each router process's sequence was dropped by retention: what is missing up to there is no loss
 * @param history what was done to make this trace out of others, the first step first; empty for a recorder's own
 * @param imported where the trace came from when it did not come from a router; it then holds requests instead of events
 * @param facts what the events say about routers, engines and policies
 */
public record TraceManifest(
        int schemaVersion,
        String writtenBy,
        String cluster,
        String prefix,
        Map<String, String> topicIds,
        boolean closed,
        List<Position> positions,
        List<Segment> segments,
        List<WriterSequences> writers,
        List<Lost> lost,
        List<Missing> missing,
        List<OffsetGap> offsetGaps,
        List<Expired> expired,
        List<TraceStep> history,
        Optional<Imported> imported,
        Facts facts) {

    /** Version of the layout that this class reads and writes. */
    public static final int SCHEMA_VERSION = 3;

    /** Name of the file in the trace directory. */
    public static final String FILE = "trace.json";

    public TraceManifest {
        topicIds = new TreeMap<>(topicIds);
        positions = List.copyOf(positions);
        segments = List.copyOf(segments);
        writers = List.copyOf(writers);
        lost = List.copyOf(lost);
        missing = List.copyOf(missing);
        offsetGaps = List.copyOf(offsetGaps);
        expired = List.copyOf(expired);
        history = List.copyOf(history);
    }

    /** A trace without events. */
    public static TraceManifest empty(String writtenBy, String cluster, String prefix) {
        return new TraceManifest(
                SCHEMA_VERSION,
                writtenBy,
                cluster,
                prefix,
                Map.of(),
                true,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Facts.NONE);
    }

    /**
     * How far a partition has been recorded.
     *
     * @param topic name without prefix
     * @param firstOffset first offset recorded
     * @param nextOffset offset from which recording goes on
     */
    public record Position(String topic, int partition, long firstOffset, long nextOffset) {}

    /**
     * A Parquet file with events of one partition in order of offset.
     *
     * @param file path within the trace directory, with forward slashes
     * @param sha256 of the file, in hex: names it
     * @param crc32c CRC-32C of the file, in hex: compared whenever the file is opened, because it costs next to nothing
     * @param events how many of each event type
     */
    public record Segment(
            String file,
            String topic,
            int partition,
            long firstOffset,
            long lastOffset,
            long rows,
            long bytes,
            String sha256,
            String crc32c,
            long firstTimeUs,
            long lastTimeUs,
            Map<String, Long> events) {
        public Segment {
            events = new TreeMap<>(events);
        }

        /** The same content under another name. */
        Segment named(String other) {
            return new Segment(
                    other,
                    topic,
                    partition,
                    firstOffset,
                    lastOffset,
                    rows,
                    bytes,
                    sha256,
                    crc32c,
                    firstTimeUs,
                    lastTimeUs,
                    events);
        }
    }

    /** Sequence numbers of one router process that are in the trace. */
    public record WriterSequences(String instance, long epoch, List<Range> ranges) {
        public WriterSequences {
            ranges = List.copyOf(ranges);
        }
    }

    /** An {@code events.lost} event. */
    public record Lost(String instance, long epoch, long from, long to, long events, String reason) {}

    /** Sequence numbers that nobody accounts for. */
    public record Missing(String instance, long epoch, long from, long to) {}

    /**
     * Offsets from {@code from} to {@code to} that are not in the trace.
     *
     * @param reason why not
     */
    public record OffsetGap(String topic, int partition, long from, long to, Reason reason) {
        public OffsetGap {
            Objects.requireNonNull(reason, "reason");
        }

        /** Why offsets are not in a trace. */
        public enum Reason {
            /** They were not there when the recorder asked: expired, or compacted away. */
            GONE,
            /** Another recorder of the group had the partition: they are in its trace. */
            ELSEWHERE;

            @JsonValue
            public String wireName() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /** Numbers up to {@code through} of a router process may have been dropped by retention. */
    public record Expired(String instance, long epoch, long through) {}

    /**
     * The trace of another format that was imported.
     *
     * @param format its name
     * @param source as the user named it
     * @param sha256 of the source, in hex
     * @param blockSize tokens in a block of the source; 0 when it has exact tokens
     * @param sessions whether requests belong to sessions
     * @param gaps whether the time between turns is known
     * @param times whether arrival times are known
     * @param commonClock whether the times of different sessions are on one clock
     * @param requests how many there are
     * @param skipped wrong rows that were left out
     * @param prefixes how the source knows which prompts begin alike
     * @param notes what was assumed or left out on purpose
     */
    public record Imported(
            String format,
            String source,
            String sha256,
            int blockSize,
            boolean sessions,
            boolean gaps,
            boolean times,
            boolean commonClock,
            long requests,
            long skipped,
            String prefixes,
            List<String> notes) {
        public Imported {
            notes = List.copyOf(notes);
        }
    }

    /**
     * What the events say, each list sorted and without repeats.
     *
     * @param policies every policy that took a decision
     * @param unreadable values that are not JSON objects; they are in the segments all the same
     */
    public record Facts(
            List<String> routerVersions,
            List<String> engineVersions,
            List<String> saltIds,
            List<String> models,
            List<String> replicas,
            List<Policy> policies,
            long unreadable) {
        static final Facts NONE = new Facts(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), 0);

        public Facts {
            routerVersions = List.copyOf(routerVersions);
            engineVersions = List.copyOf(engineVersions);
            saltIds = List.copyOf(saltIds);
            models = List.copyOf(models);
            replicas = List.copyOf(replicas);
            policies = List.copyOf(policies);
        }
    }

    /** A policy as decisions name it. */
    public record Policy(String name, int version, String configHash) implements Comparable<Policy> {
        @Override
        public int compareTo(Policy other) {
            int byName = name.compareTo(other.name);
            int byVersion = byName != 0 ? byName : Integer.compare(version, other.version);
            return byVersion != 0 ? byVersion : configHash.compareTo(other.configHash);
        }
    }

    /** Segments of a topic in order of partition and offset. */
    public List<Segment> segments(Topic topic) {
        return segments.stream()
                .filter(s -> s.topic().equals(Topics.directory(topic)))
                .sorted(Comparator.comparingInt(Segment::partition).thenComparingLong(Segment::firstOffset))
                .toList();
    }

    /** Events of each type. */
    public Map<String, Long> events() {
        Map<String, Long> sum = new TreeMap<>();
        segments.forEach(s -> s.events().forEach((type, n) -> sum.merge(type, n, Long::sum)));
        return sum;
    }

    /** Number of events of all types. */
    public long rows() {
        return segments.stream().mapToLong(Segment::rows).sum();
    }

    /** Time of the first event in microseconds since the epoch; empty when there is none. */
    public OptionalLong firstTimeUs() {
        return segments.stream().mapToLong(Segment::firstTimeUs).min();
    }

    /** Time of the last event in microseconds since the epoch; empty when there is none. */
    public OptionalLong lastTimeUs() {
        return segments.stream().mapToLong(Segment::lastTimeUs).max();
    }

    /** What was left out on purpose, over the whole history. */
    public LeftOut leftOut() {
        return history.stream().map(TraceStep::leftOut).reduce(LeftOut.NOTHING, LeftOut::and);
    }

    /** The same with other segments, and what follows from them. */
    TraceManifest with(
            List<Segment> otherSegments, List<Position> otherPositions, boolean isClosed, SegmentFacts sums) {
        return new TraceManifest(
                SCHEMA_VERSION,
                writtenBy,
                cluster,
                prefix,
                topicIds,
                isClosed,
                otherPositions,
                otherSegments,
                isClosed ? sums.writers() : List.of(),
                sums.lost(),
                isClosed ? sums.missing() : List.of(),
                sums.offsetGaps(),
                sums.expired(),
                history,
                imported,
                sums.facts());
    }

    TraceManifest withTopicIds(Map<String, String> ids) {
        return new TraceManifest(
                schemaVersion,
                writtenBy,
                cluster,
                prefix,
                ids,
                closed,
                positions,
                segments,
                writers,
                lost,
                missing,
                offsetGaps,
                expired,
                history,
                imported,
                facts);
    }

    TraceManifest withImported(Imported from) {
        return new TraceManifest(
                schemaVersion,
                writtenBy,
                cluster,
                prefix,
                topicIds,
                closed,
                positions,
                segments,
                writers,
                lost,
                missing,
                offsetGaps,
                expired,
                history,
                Optional.of(from),
                facts);
    }

    /**
     * Reads the manifest of a trace directory.
     *
     * @throws UserError if there is none, or it is not one that this warmroute understands
     */
    public static TraceManifest read(Path directory) {
        return ManifestFile.read(directory);
    }
}
