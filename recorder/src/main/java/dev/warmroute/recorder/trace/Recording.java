package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A trace directory, open for reading. Only what its manifest lists is read; a listed segment that is missing or not to the
 * byte what was recorded, or a segment that is not listed, is refused. May be read while a recorder writes to it: it then
 * shows the state at the moment of opening, as long as retention leaves its segments.
 */
public final class Recording {
    private final Path directory;
    private final SegmentFile files;
    private final TraceManifest manifest;

    private Recording(Path directory, TraceManifest manifest) {
        this.directory = directory;
        this.files = new SegmentFile(directory);
        this.manifest = manifest;
    }

    /** Whether a path is a trace directory. */
    public static boolean isRecording(Path path) {
        return Files.isRegularFile(path.resolve(TraceManifest.FILE));
    }

    /**
     * Opens a trace directory.
     *
     * @throws UserError if it is none, or its files are not those that the manifest lists
     */
    public static Recording open(Path directory) {
        TraceManifest manifest = TraceManifest.read(directory);
        while (true) {
            try {
                requireFiles(directory, manifest);
                return new Recording(directory, manifest);
            } catch (UserError e) {
                TraceManifest again = TraceManifest.read(directory);
                if (again.equals(manifest)) {
                    throw e;
                }
                manifest = again; // a recorder at work has listed or dropped segments in between
            }
        }
    }

    /**
     * Opens a trace directory that has a router's events.
     *
     * @throws UserError also if it was imported from another format: it then has requests only
     */
    public static Recording openRecorded(Path directory) {
        Recording recording = open(directory);
        recording.manifest.imported().ifPresent(i -> {
            throw new UserError(directory + " was imported from " + i.source()
                    + ": it has requests, and no decisions or counters to"
                    + " look at; whatif and trace export read it");
        });
        return recording;
    }

    private static void requireFiles(Path directory, TraceManifest manifest) {
        SegmentFile files = new SegmentFile(directory);
        manifest.segments().forEach(files::require);
        Set<String> unlisted = unlisted(directory, manifest);
        if (!unlisted.isEmpty() && !TraceLock.held(directory)) {
            throw new UserError(
                    directory + ": " + unlisted.iterator().next() + " is not listed in " + TraceManifest.FILE
                            + ": a recorder stopped before it was safe; record into this directory again, or delete the file");
        }
    }

    public Path directory() {
        return directory;
    }

    public TraceManifest manifest() {
        return manifest;
    }

    /** What the manifest says, and of a recorder that has not ended also what it does not say yet. */
    SegmentFacts facts() {
        SegmentFacts facts = SegmentFacts.of(manifest);
        if (!manifest.closed()) {
            SequenceReader.read(files, manifest.segments(), facts::sequence);
        }
        return facts;
    }

    /** Which numbers of each router process's sequence are here, and which nobody accounts for. */
    public Sequences sequences() {
        SegmentFacts facts = facts();
        return new Sequences(facts.writers(), facts.missing());
    }

    /**
     * The routers' sequences in a recording.
     *
     * @param here numbers of events that are in it
     * @param missing numbers in between that are neither here nor said to be lost
     */
    public record Sequences(List<WriterSequences> here, List<Missing> missing) {
        public Sequences {
            here = List.copyOf(here);
            missing = List.copyOf(missing);
        }
    }

    /** Events of a topic's segments that a condition takes, in order of partition and offset; the caller closes it. */
    public EventCursor events(Topic topic, Predicate<Segment> which) {
        return new SegmentCursor(
                files, manifest.segments(topic).stream().filter(which).toList());
    }

    /** The event at an offset of a partition; empty when it is not in the recording. */
    public Optional<RecordedEvent> at(Topic topic, int partition, long offset) {
        try (EventCursor events = events(
                topic, s -> s.partition() == partition && s.firstOffset() <= offset && offset <= s.lastOffset())) {
            while (events.hasNext()) {
                RecordedEvent e = events.next();
                if (e.offset() == offset) {
                    return Optional.of(e);
                }
            }
            return Optional.empty();
        }
    }

    /** Events of a topic in order of partition and offset; the caller closes it. */
    public EventCursor events(Topic topic) {
        return new SegmentCursor(files, manifest.segments(topic));
    }

    /**
     * Events of several topics by time; ties go to the router, its sequence, the topic, the partition and the offset. Within
     * a partition the order of offsets is kept, whatever the times say. The caller closes it.
     */
    public EventCursor merged(Collection<Topic> topics) {
        List<EventCursor> partitions = new ArrayList<>();
        for (Topic topic : new TreeSet<>(topics)) {
            List<Segment> all = manifest.segments(topic);
            for (int partition : all.stream().map(Segment::partition).distinct().toList()) {
                partitions.add(new SegmentCursor(
                        files,
                        all.stream().filter(s -> s.partition() == partition).toList()));
            }
        }
        return new MergedCursor(partitions);
    }

    /** Events of all topics by time. */
    public EventCursor merged() {
        return merged(List.of(Topic.values()));
    }

    /**
     * Some columns of a topic, in order of partition and offset, in batches: the fast way to look at many events. The caller
     * closes it.
     */
    public ColumnCursor columns(Topic topic, String... names) {
        return new ColumnCursor(files, manifest.segments(topic), names);
    }

    /**
     * Compares the SHA-256 of every segment with the manifest.
     *
     * @throws UserError for the first that differs
     */
    public void verifyHashes() {
        for (Segment segment : manifest.segments()) {
            Path file = directory.resolve(segment.file());
            String hash = sha256(file);
            if (!hash.equals(segment.sha256())) {
                throw new UserError(
                        file + " is not what was recorded: its SHA-256 is " + hash + ", " + TraceManifest.FILE
                                + " says " + segment.sha256() + "; take the file from a copy of the trace");
            }
        }
    }

    /** SHA-256 of the manifest, in hex: it holds the hash of every segment, and so names the whole recording. */
    public String sha256() {
        return sha256(directory.resolve(TraceManifest.FILE));
    }

    private static String sha256(Path file) {
        MessageDigest digest = SegmentOutput.sha256();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static Set<String> unlisted(Path directory, TraceManifest manifest) {
        Set<String> names = new TreeSet<>(files(directory));
        names.removeIf(n -> !n.endsWith(".parquet"));
        names.removeAll(
                new HashSet<>(manifest.segments().stream().map(Segment::file).toList()));
        return names;
    }

    /** Finished and unfinished segments in the topics' directories, as the manifest would name them. */
    static List<String> files(Path directory) {
        List<String> names = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            Path dir = directory.resolve(Topics.directory(topic));
            if (Files.isDirectory(dir)) {
                try (Stream<Path> files = Files.list(dir)) {
                    files.map(f -> f.getFileName().toString())
                            .filter(n -> n.endsWith(".parquet") || n.endsWith(".parquet.tmp"))
                            .sorted()
                            .forEach(n -> names.add(Topics.directory(topic) + '/' + n));
                } catch (IOException e) {
                    throw FileErrors.reading(dir, e);
                }
            }
        }
        return names;
    }
}
