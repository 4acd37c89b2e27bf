package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes a trace directory so that a crash at any moment loses nothing that was listed and leaves nothing half-written that
 * a reader would take: a segment grows as {@code NAME.tmp}, is forced to the disk, renamed, and only then listed in the
 * manifest, which is itself replaced by renaming. What was not listed is read again from the source: {@link #nextOffset}
 * says from where. After a write that failed nothing more is listed. One process at a time; not thread-safe.
 */
public final class TraceWriter implements AutoCloseable {
    private final Limits limits;
    private final TraceDirectory directory;
    private final Map<Place, SegmentWriter> open = new TreeMap<>();
    private final Map<Place, Position> positions = new TreeMap<>();
    private final SegmentFacts facts;
    private final EventPreparer preparer = new EventPreparer();
    private final SegmentMerger merger;
    private TraceManifest manifest;
    private boolean failed;
    private boolean ended;

    /**
     * When a segment is finished, besides when it is asked for.
     *
     * @param rows events in a segment
     * @param dataBytes bytes of JSON in a segment, before compression
     */
    public record Limits(long rows, long dataBytes) {
        public static final Limits DEFAULT = new Limits(1_000_000, 512L << 20);

        public Limits {
            if (rows < 1 || dataBytes < 1) {
                throw new IllegalArgumentException(
                        "limits must be positive: " + rows + " rows, " + dataBytes + " bytes");
            }
        }
    }

    private TraceWriter(TraceDirectory directory, Limits limits, TraceManifest manifest) {
        this.directory = directory;
        this.limits = limits;
        this.merger = new SegmentMerger(directory);
        this.manifest = manifest;
        this.facts = SegmentFacts.of(manifest);
        manifest.positions().forEach(p -> positions.put(Place.of(p), p));
    }

    /**
     * Opens a trace directory for writing: a new one, or one that is there already, which goes on where its manifest ends.
     * Remains of a writer that crashed are removed.
     *
     * @param cluster id of the Kafka cluster; empty for another source
     * @throws UserError if another process writes to it, it is the trace of another cluster or prefix, or it cannot be
     *     written
     */
    public static TraceWriter open(Path directory, String writtenBy, String cluster, String prefix, Limits limits) {
        return open(directory, writtenBy, cluster, prefix, limits, TraceFiles.DISK);
    }

    static TraceWriter open(
            Path directory, String writtenBy, String cluster, String prefix, Limits limits, TraceFiles files) {
        TraceDirectory taken = null;
        try {
            taken = TraceDirectory.take(directory, files);
            TraceManifest manifest = taken.manifest(writtenBy, cluster, prefix);
            requireSame(directory, manifest, cluster, prefix);
            taken.goOn(manifest);
            TraceWriter writer = new TraceWriter(taken, limits, manifest);
            if (!manifest.closed()) {
                // what the manifest of a crashed writer does not say
                SequenceReader.read(taken.segments(), manifest.segments(), writer.facts::sequence);
            }
            writer.list(List.of(), false);
            taken = null;
            return writer;
        } catch (IOException e) {
            throw FileErrors.writing(directory, e);
        } finally {
            if (taken != null) {
                closeQuietly(taken);
            }
        }
    }

    private static void requireSame(Path directory, TraceManifest manifest, String cluster, String prefix) {
        if (manifest.imported().isPresent()) {
            throw new UserError(directory + " is a trace that was imported; write into another directory");
        }
        if (!manifest.history().isEmpty()) {
            throw new UserError(directory + " is a trace that was made from others ("
                    + manifest.history().getLast().action()
                    + "), to which nothing can be added; write into another directory");
        }
        if (!manifest.cluster().equals(cluster) || !manifest.prefix().equals(prefix)) {
            throw new UserError(directory + " is a trace of the topics " + manifest.prefix() + ".* of cluster '"
                    + manifest.cluster() + "', not of " + prefix + ".* of cluster '" + cluster
                    + "'; record into another directory");
        }
    }

    private static void closeQuietly(TraceDirectory directory) {
        try {
            directory.close();
        } catch (IOException e) {
            // another error is on its way
        }
    }

    public TraceManifest manifest() {
        return manifest;
    }

    /**
     * Says which topics the trace is of.
     *
     * @param ids id of each topic on the broker, by topic
     * @throws UserError if a topic was made anew since the trace began
     */
    public void topics(Map<Topic, String> ids) {
        Map<String, String> known = new TreeMap<>(manifest.topicIds());
        ids.forEach((topic, id) -> {
            String before = known.put(Topics.directory(topic), id);
            if (before != null && !before.equals(id)) {
                throw new UserError("topic " + topic.name(manifest.prefix()) + " was made anew since the trace "
                        + directory + " began; record into another directory");
            }
        });
        manifest = manifest.withTopicIds(known);
    }

    /** Offset from which a partition goes on, whether listed or not; -1 when nothing of it was recorded. */
    public long nextOffset(Topic topic, int partition) {
        Position p = positions.get(new Place(topic, partition));
        return p == null ? -1 : p.nextOffset();
    }

    /** Goes on further on in a partition, because another recorder of the group recorded what is before. */
    public void resume(Topic topic, int partition, long offset) {
        Place place = new Place(topic, partition);
        Position before = positions.get(place);
        if (before == null || before.nextOffset() >= offset) {
            return;
        }
        Position moved = new Position(before.topic(), partition, before.firstOffset(), offset);
        facts.gap(
                new OffsetGap(before.topic(), partition, before.nextOffset(), offset - 1, OffsetGap.Reason.ELSEWHERE));
        positions.put(place, moved);
        manifest = manifest.with(
                manifest.segments(),
                manifest.positions().stream()
                        .map(p -> Place.of(p).equals(place) ? moved : p)
                        .toList(),
                false,
                facts);
    }

    /** How far each partition is listed, and so safe: these offsets may be committed. */
    public List<Position> listed() {
        return manifest.positions();
    }

    /**
     * Appends an event; offsets of a partition must grow. Finishes the segment when it is full.
     *
     * @return whether segments were listed, and {@link #listed} has grown
     */
    public boolean append(RecordedEvent event) {
        return append(preparer.prepare(event));
    }

    /** Appends an event that was {@linkplain EventPreparer prepared} elsewhere. */
    public boolean append(PreparedEvent prepared) {
        requireWorking();
        RecordedEvent event = prepared.event();
        Place place = Place.of(event);
        failed = true; // until it is written: an error in here leaves a segment that must not be listed
        boolean full;
        try {
            SegmentWriter segment = open.get(place);
            if (segment == null) {
                segment = directory.newSegment(
                        place, SegmentWriter.Offsets.from(nextOffset(place.topic(), place.partition())));
                open.put(place, segment);
            }
            segment.write(prepared);
            full = segment.rows() >= limits.rows() || segment.dataBytes() >= limits.dataBytes();
        } catch (IOException e) {
            throw unwritable(e);
        }
        failed = false;
        Position before = positions.get(place);
        positions.put(
                place,
                new Position(
                        Topics.directory(place.topic()),
                        place.partition(),
                        before == null ? event.offset() : before.firstOffset(),
                        event.offset() + 1));
        if (full) {
            listOrFail(List.of(open.remove(place)), false);
        }
        return full;
    }

    /** Finishes and lists every open segment; returns whether there was any. */
    public boolean roll() {
        List<SegmentWriter> full = takeOpen();
        if (full.isEmpty() || failed) {
            full.forEach(SegmentWriter::abandon);
            return false;
        }
        listOrFail(full, false);
        return true;
    }

    /** Finishes and lists the open segment of one partition, which another recorder will go on with. */
    public boolean roll(Topic topic, int partition) {
        SegmentWriter segment = open.remove(new Place(topic, partition));
        if (segment == null) {
            return false;
        }
        if (failed) {
            segment.abandon();
            return false;
        }
        listOrFail(List.of(segment), false);
        return true;
    }

    /** Forgets a partition's unlisted events: they will be recorded by somebody else. */
    public void forget(Topic topic, int partition) {
        Place place = new Place(topic, partition);
        SegmentWriter segment = open.remove(place);
        try {
            if (segment != null) {
                segment.abandon();
                directory.files().delete(segment.file());
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        positions.remove(place);
        manifest.positions().stream().filter(p -> Place.of(p).equals(place)).forEach(p -> positions.put(place, p));
    }

    /**
     * Drops the segments that are no longer to be kept.
     *
     * @param nowUs microseconds since the epoch
     * @return how many were dropped
     */
    public int expire(Retention keep, long nowUs) {
        List<Segment> dropped = keep.expired(manifest.segments(), nowUs);
        if (dropped.isEmpty()) {
            return 0;
        }
        Expiry left = Expiry.of(dropped, manifest, directory.segments(), facts);
        for (Position p : left.positions()) {
            positions.computeIfPresent(
                    Place.of(p),
                    (place, now) -> new Position(p.topic(), p.partition(), p.firstOffset(), now.nextOffset()));
        }
        replace(left.kept(), left.positions(), dropped);
        return dropped.size();
    }

    /**
     * Makes one segment of many small ones, if there are enough of them side by side.
     *
     * @return whether there were
     */
    public boolean compact(Retention keep) {
        List<Segment> run = merger.run(manifest, limits, keep);
        if (run.isEmpty()) {
            return false;
        }
        requireWorking();
        failed = true;
        Optional<Segment> merged;
        try {
            merged = merger.merged(run);
        } catch (IOException e) {
            throw unwritable(e);
        }
        failed = false;
        merged.ifPresent(one -> {
            List<Segment> segments = new ArrayList<>(manifest.segments());
            segments.set(segments.indexOf(run.getFirst()), one);
            segments.removeAll(run);
            replace(segments, manifest.positions(), run);
        });
        return merged.isPresent();
    }

    /** Lists other segments instead of some, and deletes these once the manifest no longer has them. */
    private void replace(List<Segment> segments, List<Position> listed, List<Segment> gone) {
        requireWorking();
        failed = true;
        try {
            manifest = manifest.with(segments, listed, false, facts);
            directory.write(manifest);
            directory.delete(gone);
        } catch (IOException e) {
            throw unwritable(e);
        }
        failed = false;
    }

    /** Lists what is open, marks the trace as closed, and lets the directory go. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        if (failed) {
            abandon();
            return;
        }
        ended = true;
        try (directory) {
            list(takeOpen(), true);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Lets the directory go without listing what is open, as a crash would. */
    public void abandon() {
        ended = true;
        try (directory) {
            takeOpen().forEach(SegmentWriter::abandon);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private List<SegmentWriter> takeOpen() {
        List<SegmentWriter> all = List.copyOf(open.values());
        open.clear();
        return all;
    }

    private void requireWorking() {
        if (failed || ended) {
            throw new IllegalStateException("the trace " + directory + " is no longer written");
        }
    }

    private void listOrFail(List<SegmentWriter> full, boolean closed) {
        requireWorking();
        failed = true;
        try {
            list(full, closed);
        } catch (IOException e) {
            throw unwritable(e);
        }
        failed = false;
    }

    private void list(List<SegmentWriter> full, boolean closed) throws IOException {
        List<Segment> segments = new ArrayList<>(manifest.segments());
        Map<Place, Position> safe = new TreeMap<>();
        manifest.positions().forEach(p -> safe.put(Place.of(p), p));
        for (SegmentWriter writer : full) {
            Segment segment = directory.finished(writer);
            segments.add(segment);
            facts.add(writer.facts());
            Position before = safe.get(Place.of(segment));
            safe.put(
                    Place.of(segment),
                    new Position(
                            segment.topic(),
                            segment.partition(),
                            before == null ? segment.firstOffset() : before.firstOffset(),
                            segment.lastOffset() + 1));
        }
        manifest = manifest.with(segments, List.copyOf(safe.values()), closed, facts);
        directory.write(manifest);
    }

    private UserError unwritable(IOException e) {
        return new UserError(
                directory + " cannot be written: " + FileErrors.reason(e) + "; what is listed in " + TraceManifest.FILE
                        + " is safe, start the recorder again once there is room",
                e);
    }
}
