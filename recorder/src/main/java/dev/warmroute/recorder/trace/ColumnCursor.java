package dev.warmroute.recorder.trace;

import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.ColumnReaders;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.Validity;
import dev.hardwood.schema.ColumnProjection;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Columns of several segments in batches of rows. Columns are asked for by their position among the names given; what the
 * accessors return belongs to the cursor and holds until the next batch. Not thread-safe.
 */
public final class ColumnCursor implements AutoCloseable {
    private static final int BATCH_ROWS = 4096;
    private final SegmentFile files;
    private final List<Segment> segments;
    private final String[] names;
    private int next;
    private Optional<ParquetFileReader> file = Optional.empty();
    private Optional<ColumnReaders> readers = Optional.empty();
    private long rowsOfSegment;
    private final String[][] texts;
    private final byte[][][] bytes;
    private final TextCache[] caches;

    ColumnCursor(SegmentFile files, List<Segment> segments, String... names) {
        this.files = files;
        this.segments = segments;
        this.names = names.clone();
        this.texts = new String[names.length][];
        this.bytes = new byte[names.length][][];
        this.caches = new TextCache[names.length];
        Arrays.setAll(caches, i -> new TextCache());
    }

    /** Moves to the next batch; false when there is none. */
    public boolean nextBatch() {
        Arrays.fill(texts, null);
        Arrays.fill(bytes, null);
        while (true) {
            if (readers.isEmpty() && !openNext()) {
                return false;
            }
            boolean more;
            try {
                more = readers.orElseThrow().nextBatch();
            } catch (RuntimeException e) {
                throw files.damaged(segments.get(next - 1), e);
            }
            if (more) {
                rowsOfSegment += rows();
                return true;
            }
            Segment segment = segments.get(next - 1);
            if (rowsOfSegment != segment.rows()) {
                throw new UserError(files.path(segment) + " has " + rowsOfSegment + " events, " + TraceManifest.FILE
                        + " says " + segment.rows() + "; take it from a copy of the trace");
            }
            closeFile();
        }
    }

    private boolean openNext() {
        if (next == segments.size()) {
            return false;
        }
        next++;
        rowsOfSegment = 0;
        Segment segment = segments.get(next - 1);
        ParquetFileReader reader = files.open(segment);
        file = Optional.of(reader);
        try {
            readers = Optional.of(reader.buildColumnReaders(ColumnProjection.columns(names))
                    .batchSize(BATCH_ROWS)
                    .build());
        } catch (RuntimeException e) {
            throw files.damaged(segment, e);
        }
        return true;
    }

    /** Rows of this batch. */
    public int rows() {
        return readers.orElseThrow().getRecordCount();
    }

    /** Topic of this batch. */
    public Topic topic() {
        return Topics.named(segments.get(next - 1).topic());
    }

    /** Whether a row has no value in a column. */
    public boolean isNull(int column, int row) {
        return readers.orElseThrow()
                .getColumnReader(names[column])
                .getLeafValidity()
                .isNull(row);
    }

    public int[] ints(int column) {
        return readers.orElseThrow().getColumnReader(names[column]).getInts();
    }

    public long[] longs(int column) {
        return readers.orElseThrow().getColumnReader(names[column]).getLongs();
    }

    public double[] doubles(int column) {
        return readers.orElseThrow().getColumnReader(names[column]).getDoubles();
    }

    public boolean[] flags(int column) {
        return readers.orElseThrow().getColumnReader(names[column]).getBooleans();
    }

    /** Texts of a column; null where there is none. */
    public String[] texts(int column) {
        if (texts[column] == null) {
            texts[column] = read(readers.orElseThrow().getColumnReader(names[column]), caches[column]);
        }
        return texts[column];
    }

    private static String[] read(ColumnReader reader, TextCache cache) {
        String[] out = new String[reader.getRecordCount()];
        byte[] bytes = reader.getBinaryValues();
        int[] offsets = reader.getBinaryOffsets();
        Validity validity = reader.getLeafValidity();
        boolean nulls = validity.hasNulls();
        for (int i = 0; i < out.length; i++) {
            if (!nulls || validity.isNotNull(i)) {
                out[i] = cache.text(bytes, offsets[i], offsets[i + 1]);
            }
        }
        return out;
    }

    /** Bytes of a column. */
    public byte[][] bytes(int column) {
        if (bytes[column] == null) {
            bytes[column] = readers.orElseThrow().getColumnReader(names[column]).getBinaries();
        }
        return bytes[column];
    }

    private void closeFile() {
        readers.ifPresent(ColumnReaders::close);
        readers = Optional.empty();
        if (file.isPresent()) {
            try {
                file.get().close();
            } catch (IOException e) {
                throw files.damaged(segments.get(next - 1), e);
            }
            file = Optional.empty();
        }
    }

    @Override
    public void close() {
        closeFile();
    }
}
