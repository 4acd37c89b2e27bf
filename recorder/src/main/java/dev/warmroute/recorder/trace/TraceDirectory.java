package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.UserError;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of a trace that is being written, and the right to write them: names of new segments, the order in which they
 * come to the disk, the manifest, and what a writer that crashed left behind.
 */
final class TraceDirectory implements Closeable {
    static final String TEMPORARY = ".tmp";

    private final Path directory;
    private final TraceFiles files;
    private final TraceLock lock;
    private final SegmentFile segments;
    private int lastPart;

    private TraceDirectory(Path directory, TraceFiles files, TraceLock lock) {
        this.directory = directory;
        this.files = files;
        this.lock = lock;
        this.segments = new SegmentFile(directory);
    }

    /**
     * Makes the directory if need be and takes the right to write to it.
     *
     * @throws UserError if somebody else has it
     */
    static TraceDirectory take(Path directory, TraceFiles files) throws IOException {
        Files.createDirectories(directory);
        return new TraceDirectory(directory, files, TraceLock.take(directory));
    }

    /** Its manifest, or an empty one if it is new. */
    TraceManifest manifest(String writtenBy, String cluster, String prefix) {
        if (Files.exists(directory.resolve(TraceManifest.FILE))) {
            return TraceManifest.read(directory);
        }
        List<String> names = Recording.files(directory);
        if (names.stream().anyMatch(f -> !f.endsWith(TEMPORARY))) {
            throw new UserError(directory + " has " + names.getFirst() + " but no " + TraceManifest.FILE
                    + ": it is not a whole trace; record into another directory");
        }
        return TraceManifest.empty(writtenBy, cluster, prefix);
    }

    /** Goes on with a trace: looks whether its segments are there and removes what a crashed writer left. */
    void goOn(TraceManifest manifest) throws IOException {
        manifest.segments().forEach(segments::require);
        removeRemains(manifest);
        manifest.segments().forEach(s -> lastPart = Math.max(lastPart, part(s.file())));
    }

    /** Removes unfinished files, and finished ones that were not listed, or no longer. */
    private void removeRemains(TraceManifest manifest) throws IOException {
        Set<String> listed =
                new HashSet<>(manifest.segments().stream().map(Segment::file).toList());
        for (String name : Recording.files(directory)) {
            if (!listed.contains(name)) {
                files.delete(directory.resolve(name));
            }
        }
        files.delete(directory.resolve(TraceManifest.FILE + TEMPORARY));
    }

    /** The segments' files. */
    SegmentFile segments() {
        return segments;
    }

    TraceFiles files() {
        return files;
    }

    /** Begins a segment under a new name. */
    SegmentWriter newSegment(Place place, SegmentWriter.Offsets offsets) throws IOException {
        return new SegmentWriter(files, newFile(place.topic().shortName()), place.topic(), place.partition(), offsets);
    }

    /** A name that no segment has had, for a file that is not finished. */
    Path newFile(String topic) throws IOException {
        Path dir = directory.resolve(topic);
        if (!Files.isDirectory(dir)) {
            files.makeDirectory(dir);
            files.force(directory);
        }
        return dir.resolve("part-%05d.parquet".formatted(++lastPart) + TEMPORARY);
    }

    /** Completes a segment's file under its own name, on the disk, not yet listed. */
    Segment finished(SegmentWriter writer) throws IOException {
        Path unfinished = writer.file();
        Segment segment = writer.finish(listedName(unfinished));
        rename(unfinished);
        return segment;
    }

    /** The name under which the manifest will list a file that is not finished. */
    static String listedName(Path unfinished) {
        String name = unfinished.getFileName().toString();
        return unfinished.getParent().getFileName() + "/" + name.substring(0, name.length() - TEMPORARY.length());
    }

    /** Gives a finished file its own name, for good. */
    void rename(Path unfinished) throws IOException {
        Path file = directory.resolve(listedName(unfinished));
        files.move(unfinished, file);
        files.force(file.getParent());
    }

    void write(TraceManifest manifest) throws IOException {
        ManifestFile.write(directory, manifest, files);
    }

    /** Deletes segments that the manifest no longer lists. */
    void delete(List<Segment> gone) throws IOException {
        Set<Path> directories = new TreeSet<>();
        for (Segment s : gone) {
            files.delete(segments.path(s));
            directories.add(segments.path(s).getParent());
        }
        for (Path d : directories) {
            files.force(d);
        }
    }

    private static int part(String file) {
        String digits = file.replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** Lets the directory go. */
    @Override
    public void close() throws IOException {
        lock.close();
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
