package dev.warmroute.recorder.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a trace directory holds: only the segments that it lists are part of the trace. Written whole, beside the old one
 * and renamed over it, so a reader sees one state or the other.
 *
 * @param schemaVersion version of this layout
 * @param writtenBy version of warmroute that wrote it
 * @param cluster id of the Kafka cluster; empty when the trace did not come from one
 * @param prefix prefix of the topics; empty when the trace did not come from Kafka
 * @param closed whether its recorder ended in order; if not, it is at work or crashed, and {@code writers} and {@code
 *     missing} say nothing
 * @param positions how far each partition has been recorded
 * @param segments in the order in which they were finished
 * @param writers which sequence numbers of each router process are in the segments
 * @param lost what the routers said they could not write
 * @param missing sequence numbers of a router process that are neither here nor said to be lost
 * @param offsetGaps offsets that the broker no longer had
 * @param facts what the events say about routers, engines and policies
 */
public record TraceManifest(
        int schemaVersion,
        String writtenBy,
        String cluster,
        String prefix,
        boolean closed,
        List<Position> positions,
        List<Segment> segments,
        List<WriterSequences> writers,
        List<Lost> lost,
        List<Missing> missing,
        List<OffsetGap> offsetGaps,
        Facts facts) {

    /** Version of the layout that this class reads and writes. */
    public static final int SCHEMA_VERSION = 1;

    /** Name of the file in the trace directory. */
    public static final String FILE = "trace.json";

    private static final ObjectWriter WRITER = EventCodec.mapper().writer().with(SerializationFeature.INDENT_OUTPUT);
    private static final ObjectReader READER =
            EventCodec.mapper().readerFor(TraceManifest.class).with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    public TraceManifest {
        positions = List.copyOf(positions);
        segments = List.copyOf(segments);
        writers = List.copyOf(writers);
        lost = List.copyOf(lost);
        missing = List.copyOf(missing);
        offsetGaps = List.copyOf(offsetGaps);
    }

    /** A trace without events. */
    public static TraceManifest empty(String writtenBy, String cluster, String prefix) {
        return new TraceManifest(
                SCHEMA_VERSION,
                writtenBy,
                cluster,
                prefix,
                true,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
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
            long firstTimeUs,
            long lastTimeUs,
            Map<String, Long> events) {
        public Segment {
            events = new TreeMap<>(events);
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

    /** Offsets from {@code from} to {@code to} that were not there when the recorder asked: expired or compacted away. */
    public record OffsetGap(String topic, int partition, long from, long to) {}

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
                .sorted(java.util.Comparator.comparingInt(Segment::partition).thenComparingLong(Segment::firstOffset))
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

    byte[] json() {
        try {
            return WRITER.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads the manifest of a trace directory.
     *
     * @throws UserError if there is none, or it is not one that this warmroute understands
     */
    public static TraceManifest read(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            TraceManifest manifest = READER.readValue(Files.readAllBytes(file));
            if (manifest.schemaVersion() != SCHEMA_VERSION) {
                throw new UserError(file + ": schema version " + manifest.schemaVersion() + "; this warmroute reads version "
                        + SCHEMA_VERSION + ", take the warmroute that wrote it (" + manifest.writtenBy() + ")");
            }
            return manifest;
        } catch (NoSuchFileException e) {
            throw new UserError(directory + " is not a trace directory: it has no " + FILE, e);
        } catch (JsonProcessingException e) {
            throw new UserError(file + " is damaged: " + e.getOriginalMessage().replaceAll("\\s+", " "), e);
        } catch (IOException | NullPointerException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
