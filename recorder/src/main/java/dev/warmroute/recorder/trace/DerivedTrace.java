package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Expired;
import dev.warmroute.recorder.trace.TraceManifest.Lost;
import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A new trace directory made out of other traces. Its manifest is written last, by {@link #finish}: until then it is no
 * trace, and closing it removes what was written. One segment is open at a time. Not thread-safe.
 */
public final class DerivedTrace implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path path;
    private final TraceDirectory directory;
    private final TraceManifest like;
    private final String writtenBy;
    private final TraceWriter.Limits limits;
    private final SegmentFacts facts = new SegmentFacts();
    private final List<Segment> segments = new ArrayList<>();
    private SegmentWriter open;
    private Place place;
    private boolean finished;

    /**
     * What is known of events that are not in the trace.
     *
     * @param lost what routers said they could not write
     * @param missing sequence numbers that nobody accounts for
     * @param offsetGaps offsets that the sources did not have
     * @param expired how far retention had dropped each router's numbers
     */
    public record Absent(List<Lost> lost, List<Missing> missing, List<OffsetGap> offsetGaps, List<Expired> expired) {
        public Absent {
            lost = List.copyOf(lost);
            missing = List.copyOf(missing);
            offsetGaps = List.copyOf(offsetGaps);
            expired = List.copyOf(expired);
        }
    }

    private DerivedTrace(
            Path path, TraceDirectory directory, String writtenBy, TraceManifest like, TraceWriter.Limits limits) {
        this.path = path;
        this.directory = directory;
        this.writtenBy = writtenBy;
        this.like = like;
        this.limits = limits;
    }

    /**
     * Begins one.
     *
     * @param like manifest whose cluster and topics it is of
     * @throws UserError if the directory holds anything but the lock, the unfinished manifest and the empty directories of an
     *     attempt that came to no end
     */
    public static DerivedTrace create(Path directory, String writtenBy, TraceManifest like) {
        return create(directory, writtenBy, like, TraceWriter.Limits.DEFAULT);
    }

    static DerivedTrace create(Path directory, String writtenBy, TraceManifest like, TraceWriter.Limits limits) {
        if (like.imported().isPresent()) {
            throw new UserError(
                    "a trace that was imported from " + like.imported().get().format()
                            + " holds no events of a router; cut or join what it was imported from");
        }
        try {
            Remains remains = remains(directory);
            remains.requireNothingElse(); // before the lock's file comes into a directory of somebody else
            TraceDirectory taken = TraceDirectory.take(directory, TraceFiles.DISK);
            try {
                remains.requireNothingElse();
                remains.remove(taken.files());
            } catch (IOException | RuntimeException e) {
                taken.close();
                throw e;
            }
            return new DerivedTrace(directory, taken, writtenBy, like, limits);
        } catch (IOException e) {
            throw FileErrors.writing(directory, e);
        }
    }

    /** Without segments: a file of one may be all that is left of a trace whose manifest is lost. */
    private static Remains remains(Path directory) {
        return new Remains(
                directory,
                Arrays.stream(Topic.values()).map(Topics::directory).collect(Collectors.toSet()),
                name -> false);
    }

    /** Appends an event; within a partition offsets must grow. Changing the partition finishes a segment. */
    public void append(PreparedEvent event) {
        Place here = Place.of(event.event());
        try {
            if (open != null && !here.equals(place)) {
                finishSegment();
            }
            if (open == null) {
                open = directory.newSegment(here, SegmentWriter.Offsets.ANY);
                place = here;
            }
            open.write(event);
            if (open.rows() >= limits.rows() || open.dataBytes() >= limits.dataBytes()) {
                finishSegment();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private void finishSegment() throws IOException {
        segments.add(directory.finished(open));
        facts.add(open.facts());
        open = null;
    }

    /** Takes over what a trace's manifest says of its events, of which {@link #copy} copies segments. */
    public void include(Recording source) {
        facts.add(source.facts());
    }

    /**
     * Takes a segment over as it is, byte for byte.
     *
     * @throws UserError if its file is not what was recorded
     */
    public void copy(Recording source, Segment segment) {
        Path from = source.directory().resolve(segment.file());
        MessageDigest digest = SegmentOutput.sha256();
        try {
            if (open != null) {
                finishSegment();
            }
            Path unfinished = directory.newFile(segment.topic());
            try (InputStream in = Files.newInputStream(from);
                    TraceFiles.NewFile out = directory.files().create(unfinished)) {
                byte[] buffer = new byte[BUFFER];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    digest.update(buffer, 0, n);
                    out.write(ByteBuffer.wrap(buffer, 0, n));
                }
                out.force();
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(segment.sha256())) {
                throw new UserError(from + " is not what was recorded: its SHA-256 is not the one in "
                        + TraceManifest.FILE + "; take the file from a copy of the trace");
            }
            directory.rename(unfinished);
            segments.add(segment.named(TraceDirectory.listedName(unfinished)));
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Which numbers of each router process's sequence were appended or included. */
    public List<WriterSequences> writers() {
        try {
            if (open != null) {
                finishSegment();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        return facts.writers();
    }

    /**
     * Writes the manifest: now it is a trace.
     *
     * @param writers what to say of the routers' numbers
     */
    public TraceManifest finish(List<TraceStep> history, Absent absent, List<WriterSequences> writers) {
        try {
            if (open != null) {
                finishSegment();
            }
            TraceManifest manifest = new TraceManifest(
                    TraceManifest.SCHEMA_VERSION,
                    writtenBy,
                    like.cluster(),
                    like.prefix(),
                    like.topicIds(),
                    true,
                    positions(),
                    segments,
                    writers,
                    absent.lost(),
                    absent.missing(),
                    absent.offsetGaps(),
                    absent.expired(),
                    history,
                    like.imported(),
                    facts.facts());
            directory.write(manifest);
            finished = true;
            return manifest;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private List<Position> positions() {
        Map<Place, Position> all = new TreeMap<>();
        for (Segment s : segments) {
            all.merge(
                    Place.of(s),
                    new Position(s.topic(), s.partition(), s.firstOffset(), s.lastOffset() + 1),
                    (a, b) -> new Position(
                            a.topic(),
                            a.partition(),
                            Math.min(a.firstOffset(), b.firstOffset()),
                            Math.max(a.nextOffset(), b.nextOffset())));
        }
        return List.copyOf(all.values());
    }

    private UserError unwritable(IOException e) {
        return FileErrors.writing(path, e);
    }

    /** Lets the directory go; empties it unless it was finished. */
    @Override
    public void close() {
        try (directory) {
            if (!finished) {
                if (open != null) {
                    open.abandon();
                }
                for (String file : Recording.files(path)) {
                    directory.files().delete(path.resolve(file));
                }
                remains(path).remove(directory.files());
                directory.files().delete(path.resolve(TraceLock.FILE));
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }
}
