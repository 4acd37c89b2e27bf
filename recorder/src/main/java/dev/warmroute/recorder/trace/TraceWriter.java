package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes a trace directory so that a crash at any moment loses nothing that was listed and leaves nothing half-written that
 * a reader would take: a segment grows as {@code NAME.tmp}, is forced to the disk, renamed, and only then listed in the
 * manifest, which is itself replaced by renaming. What was not listed is read again from the source: {@link #nextOffset}
 * says from where. One process at a time; not thread-safe.
 */
public final class TraceWriter implements AutoCloseable {
    private static final String LOCK = ".lock";
    private static final String TEMPORARY = ".tmp";

    private final Path directory;
    private final Limits limits;
    private final FileChannel lockFile;
    private final Map<Place, SegmentWriter> open = new TreeMap<>();
    private final Map<Place, Position> positions = new TreeMap<>();
    private final SegmentFacts facts;
    private final EventPreparer preparer = new EventPreparer();
    private TraceManifest manifest;
    private int lastPart;

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
                throw new IllegalArgumentException("limits must be positive: " + rows + " rows, " + dataBytes + " bytes");
            }
        }
    }

    private record Place(Topic topic, int partition) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byTopic = topic.compareTo(other.topic);
            return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
        }
    }

    private TraceWriter(Path directory, Limits limits, FileChannel lockFile, TraceManifest manifest) {
        this.directory = directory;
        this.limits = limits;
        this.lockFile = lockFile;
        this.manifest = manifest;
        this.facts = SegmentFacts.of(manifest);
        manifest.positions().forEach(p -> positions.put(new Place(Topics.named(p.topic()), p.partition()), p));
        manifest.segments().forEach(s -> lastPart = Math.max(lastPart, part(s.file())));
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
        FileChannel lock = null;
        try {
            Files.createDirectories(directory);
            lock = lock(directory);
            TraceManifest manifest = manifest(directory, writtenBy, cluster, prefix);
            if (!manifest.cluster().equals(cluster) || !manifest.prefix().equals(prefix)) {
                throw new UserError(directory + " is a trace of the topics " + manifest.prefix() + ".* of cluster '"
                        + manifest.cluster() + "', not of " + prefix + ".* of cluster '" + cluster
                        + "'; record into another directory");
            }
            Recording.requireFiles(directory, manifest);
            removeRemains(directory, manifest);
            TraceWriter writer = new TraceWriter(directory, limits, lock, manifest);
            lock = null;
            if (!manifest.closed()) {
                writer.readSequences();
            }
            writer.list(List.of(), false);
            return writer;
        } catch (IOException e) {
            throw new UserError(directory + " cannot be written: " + e.getMessage(), e);
        } finally {
            closeQuietly(lock);
        }
    }

    private static TraceManifest manifest(Path directory, String writtenBy, String cluster, String prefix) {
        if (Files.exists(directory.resolve(TraceManifest.FILE))) {
            return TraceManifest.read(directory);
        }
        List<String> files = Recording.files(directory);
        if (!files.isEmpty()) {
            throw new UserError(directory + " has " + files.getFirst() + " but no " + TraceManifest.FILE
                    + ": it is not a whole trace; record into another directory");
        }
        return TraceManifest.empty(writtenBy, cluster, prefix);
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new UserError("another recorder writes to " + directory + "; stop it, or record into another directory");
        }
        return channel;
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes what a crashed writer left: unfinished files, and finished ones that were not listed. */
    private static void removeRemains(Path directory, TraceManifest manifest) throws IOException {
        List<String> listed = manifest.segments().stream().map(Segment::file).toList();
        for (String name : Recording.files(directory)) {
            if (name.endsWith(TEMPORARY) || !listed.contains(name)) {
                Files.delete(directory.resolve(name));
            }
        }
        Files.deleteIfExists(directory.resolve(TraceManifest.FILE + TEMPORARY));
    }

    /** Looks up in the segments what the manifest of a crashed writer does not say. */
    private void readSequences() {
        String previousId = "";
        Optional<Writer> writer = Optional.empty();
        for (Topic topic : Topic.values()) {
            try (ColumnCursor events =
                    new ColumnCursor(directory, manifest.segments(topic), "ce_id", "ce_source", "ce_sequence")) {
                while (events.nextBatch()) {
                    for (int i = 0; i < events.rows(); i++) {
                        String id = events.texts(0)[i];
                        int end = id.lastIndexOf('-');
                        if (end < 0 || end != previousId.lastIndexOf('-') || !previousId.startsWith(id.substring(0, end))) {
                            writer = Writer.of(events.texts(1)[i], id, events.longs(2)[i]);
                        }
                        previousId = id;
                        if (writer.isPresent()) {
                            facts.sequence(writer.get(), events.longs(2)[i]);
                        }
                    }
                }
            }
        }
    }

    public TraceManifest manifest() {
        return manifest;
    }

    /** Offset from which a partition goes on, whether listed or not; -1 when nothing of it was recorded. */
    public long nextOffset(Topic topic, int partition) {
        Position p = positions.get(new Place(topic, partition));
        return p == null ? -1 : p.nextOffset();
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
        RecordedEvent event = prepared.event();
        Place place = new Place(event.topic(), event.partition());
        try {
            SegmentWriter segment = open.get(place);
            if (segment == null) {
                segment = newSegment(place);
                open.put(place, segment);
            }
            segment.write(prepared);
            Position before = positions.get(place);
            positions.put(
                    place,
                    new Position(
                            Topics.directory(place.topic),
                            place.partition,
                            before == null ? event.offset() : before.firstOffset(),
                            event.offset() + 1));
            if (segment.rows() >= limits.rows() || segment.dataBytes() >= limits.dataBytes()) {
                open.remove(place);
                list(List.of(segment), false);
                return true;
            }
            return false;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Finishes and lists every open segment; returns whether there was any. */
    public boolean roll() {
        List<SegmentWriter> full = List.copyOf(open.values());
        open.clear();
        try {
            if (!full.isEmpty()) {
                list(full, false);
            }
            return !full.isEmpty();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Finishes and lists the open segment of one partition, which another recorder will go on with. */
    public boolean roll(Topic topic, int partition) {
        SegmentWriter segment = open.remove(new Place(topic, partition));
        try {
            if (segment != null) {
                list(List.of(segment), false);
            }
            return segment != null;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Forgets a partition's unlisted events: they will be recorded by somebody else. */
    public void forget(Topic topic, int partition) {
        Place place = new Place(topic, partition);
        SegmentWriter segment = open.remove(place);
        try {
            if (segment != null) {
                segment.abandon();
                Files.deleteIfExists(segment.file());
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        positions.remove(place);
        manifest.positions().stream()
                .filter(p -> p.topic().equals(Topics.directory(topic)) && p.partition() == partition)
                .forEach(p -> positions.put(place, p));
    }

    /** Lists what is open, marks the trace as closed, and lets the directory go. */
    @Override
    public void close() {
        if (!lockFile.isOpen()) {
            return;
        }
        List<SegmentWriter> full = List.copyOf(open.values());
        open.clear();
        try (lockFile) {
            list(full, true);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Lets the directory go without listing what is open, as a crash would. */
    public void abandon() {
        try (lockFile) {
            for (SegmentWriter segment : open.values()) {
                segment.abandon();
            }
            open.clear();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private SegmentWriter newSegment(Place place) throws IOException {
        Path dir = directory.resolve(Topics.directory(place.topic));
        Files.createDirectories(dir);
        return new SegmentWriter(
                dir.resolve(fileName(++lastPart) + TEMPORARY),
                place.topic,
                place.partition,
                nextOffset(place.topic, place.partition));
    }

    private void list(List<SegmentWriter> finished, boolean closed) throws IOException {
        List<Segment> segments = new ArrayList<>(manifest.segments());
        Map<Place, Position> safe = new TreeMap<>();
        manifest.positions().forEach(p -> safe.put(new Place(Topics.named(p.topic()), p.partition()), p));
        for (SegmentWriter writer : finished) {
            Path unfinished = writer.file();
            Path file = unfinished.resolveSibling(
                    unfinished.getFileName().toString().replace(TEMPORARY, ""));
            Segment segment = writer.finish(unfinished.getParent().getFileName() + "/" + file.getFileName());
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            force(file.getParent());
            segments.add(segment);
            facts.add(writer.facts());
            Place place = new Place(Topics.named(segment.topic()), segment.partition());
            Position before = safe.get(place);
            safe.put(
                    place,
                    new Position(
                            segment.topic(),
                            segment.partition(),
                            before == null ? segment.firstOffset() : before.firstOffset(),
                            segment.lastOffset() + 1));
        }
        manifest = new TraceManifest(
                TraceManifest.SCHEMA_VERSION,
                manifest.writtenBy(),
                manifest.cluster(),
                manifest.prefix(),
                closed,
                List.copyOf(safe.values()),
                segments,
                closed ? facts.writers() : List.of(),
                facts.lost(),
                closed ? facts.missing() : List.of(),
                facts.offsetGaps(),
                facts.facts());
        Path unfinished = directory.resolve(TraceManifest.FILE + TEMPORARY);
        try (FileChannel out = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            ByteBuffer json = ByteBuffer.wrap(manifest.json());
            while (json.hasRemaining()) {
                out.write(json);
            }
            out.force(true);
        }
        Files.move(unfinished, directory.resolve(TraceManifest.FILE), StandardCopyOption.ATOMIC_MOVE);
        force(directory);
    }

    /** Brings a directory's entries to the disk. */
    private static void force(Path dir) throws IOException {
        try (FileChannel channel = FileChannel.open(dir, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static String fileName(int part) {
        return "part-%05d.parquet".formatted(part);
    }

    private static int part(String file) {
        String digits = file.replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    private UserError unwritable(IOException e) {
        return new UserError(directory + " cannot be written: " + e.getMessage() + "; what is listed in "
                + TraceManifest.FILE + " is safe, start the recorder again once there is room", e);
    }
}
