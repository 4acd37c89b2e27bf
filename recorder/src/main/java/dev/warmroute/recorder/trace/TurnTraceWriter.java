package dev.warmroute.recorder.trace;

import com.jerolba.carpet.CarpetWriter;
import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Writes requests of another format into a new trace directory. It is no trace until {@link #complete}: the manifest comes
 * last, and what was written without it is removed by the next attempt. Not thread-safe.
 */
public final class TurnTraceWriter implements AutoCloseable {
    private static final Pattern PART = Pattern.compile("part-\\d{5,}\\.parquet(\\.tmp)?");
    private static final long ROWS_OF_SEGMENT = 1_000_000;
    private static final long ROW_GROUP_BYTES = 32 << 20;

    private final Path directory;
    private final String writtenBy;
    private final TraceFiles files = TraceFiles.DISK;
    private final TraceLock lock;
    private final List<Segment> segments = new ArrayList<>();
    private Optional<Open> open = Optional.empty();

    /** A segment in the making. */
    private static final class Open {
        private final Path unfinished;
        private final SegmentOutput output;
        private final CarpetWriter<Turn> parquet;
        private final int firstIndex;
        private int lastIndex;
        private long rows;
        private long firstNanos = Long.MAX_VALUE;
        private long lastNanos = Long.MIN_VALUE;

        private Open(TraceFiles files, Path unfinished, int firstIndex) throws IOException {
            this.unfinished = unfinished;
            this.firstIndex = firstIndex;
            this.output = new SegmentOutput(unfinished, files);
            this.parquet = new CarpetWriter.Builder<>(output, Turn.class)
                    .withWriteRecordModel(TurnSegments.model())
                    .withCompressionCodec(CompressionCodecName.ZSTD)
                    .withRowGroupSize(ROW_GROUP_BYTES)
                    .withExtraMetaData(Map.of(
                            "warmroute.schema",
                            Integer.toString(TraceManifest.SCHEMA_VERSION),
                            "warmroute.topic",
                            TurnSegments.DIRECTORY))
                    .build();
        }

        private void write(Turn turn) throws IOException {
            parquet.write(turn);
            lastIndex = turn.index();
            firstNanos = Math.min(firstNanos, turn.arrivalNanos());
            lastNanos = Math.max(lastNanos, turn.arrivalNanos());
            rows++;
        }

        private Segment finish(String name) throws IOException {
            output.ends();
            parquet.close();
            return new Segment(
                    name,
                    TurnSegments.DIRECTORY,
                    0,
                    firstIndex,
                    lastIndex,
                    rows,
                    output.bytes(),
                    output.hash(),
                    output.crc32c(),
                    firstNanos / 1000,
                    lastNanos / 1000,
                    Map.of(TurnSegments.ROW, rows));
        }
    }

    private TurnTraceWriter(Path directory, String writtenBy, TraceLock lock) {
        this.directory = directory;
        this.writtenBy = writtenBy;
        this.lock = lock;
    }

    /**
     * Begins a trace directory, which is not there yet, or empty but for what an attempt before left.
     *
     * @param writtenBy version of warmroute
     * @throws UserError if there is something in it, or it cannot be written
     */
    public static TurnTraceWriter create(Path directory, String writtenBy) {
        try {
            if (Recording.isRecording(directory)) {
                throw new UserError(directory + " is a trace already; import into another directory");
            }
            Remains remains = new Remains(directory, Set.of(TurnSegments.DIRECTORY), PART.asMatchPredicate());
            remains.requireNothingElse(); // before the lock's file comes into a directory of somebody else
            Files.createDirectories(directory);
            TraceLock lock = TraceLock.take(directory);
            try {
                TurnTraceWriter writer = new TurnTraceWriter(directory, writtenBy, lock);
                writer.begin(remains);
                return writer;
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    private void begin(Remains remains) throws IOException {
        remains.requireNothingElse();
        remains.remove(files);
        files.makeDirectory(directory.resolve(TurnSegments.DIRECTORY));
        files.force(directory);
    }

    /** Appends a request; their indexes grow one by one. */
    public void append(Turn turn) {
        try {
            if (open.isEmpty()) {
                String name = "part-%05d.parquet".formatted(segments.size() + 1);
                Path file = directory.resolve(TurnSegments.DIRECTORY).resolve(name + TraceDirectory.TEMPORARY);
                open = Optional.of(new Open(files, file, turn.index()));
            }
            open.get().write(turn);
            if (open.get().rows >= ROWS_OF_SEGMENT) {
                roll();
            }
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    private void roll() throws IOException {
        Open segment = open.orElseThrow();
        open = Optional.empty();
        String name = segment.unfinished.getFileName().toString().replace(TraceDirectory.TEMPORARY, "");
        segments.add(segment.finish(TurnSegments.DIRECTORY + '/' + name));
        files.move(segment.unfinished, segment.unfinished.resolveSibling(name));
        files.force(segment.unfinished.getParent());
    }

    /**
     * Makes a trace of what was written.
     *
     * @param from what it was imported from
     */
    public void complete(Imported from) {
        try {
            if (open.isPresent()) {
                roll();
            }
            TraceManifest manifest = TraceManifest.empty(writtenBy, "", "")
                    .with(segments, List.of(), true, SegmentFacts.of(TraceManifest.empty(writtenBy, "", "")))
                    .withImported(from);
            ManifestFile.write(directory, manifest, files);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    @Override
    public void close() {
        open.ifPresent(o -> o.output.abandon());
        try {
            lock.close();
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    private static UserError unwritable(Path directory, IOException e) {
        return FileErrors.writing(directory, e);
    }
}
