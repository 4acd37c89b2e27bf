package dev.warmroute.recorder.trace;

import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.ColumnReaders;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.schema.ColumnProjection;
import dev.warmroute.recorder.trace.TraceManifest.Imported;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The requests of a trace directory that was imported, as they were. */
public final class ImportedTurns implements Iterator<Turn>, AutoCloseable {
    private static final int BATCH_ROWS = 1024;

    private final SegmentFile files;
    private final List<Segment> segments;
    private final Imported imported;
    private final TextCache[] caches = new TextCache[TurnSegments.TEXTS.size()];
    private int nextSegment;
    private Optional<ParquetFileReader> file = Optional.empty();
    private Optional<ColumnReaders> columns = Optional.empty();
    private long rowsOfSegment;
    private long rows;
    private int row;
    private int rowsOfBatch;
    private final long[][] wholes = new long[TurnSegments.WHOLE.size()][];
    private final String[][] texts = new String[TurnSegments.TEXTS.size()][];
    private long[] starts = {};
    private long[] lengths = {};
    private int[] offsets = {};

    private ImportedTurns(Recording recording, Imported imported) {
        this.files = new SegmentFile(recording.directory());
        this.segments = recording.manifest().segments();
        this.imported = imported;
        for (int i = 0; i < caches.length; i++) {
            caches[i] = new TextCache();
        }
    }

    /** Opens the requests of a trace, if it was imported; the caller closes it. */
    public static Optional<ImportedTurns> open(Recording recording) {
        return recording.manifest().imported().map(i -> new ImportedTurns(recording, i));
    }

    /** Where they came from. */
    public Imported imported() {
        return imported;
    }

    /** Requests returned so far. */
    public long rows() {
        return rows;
    }

    @Override
    public boolean hasNext() {
        while (row == rowsOfBatch) {
            if (columns.isEmpty() && !openNext()) {
                return false;
            }
            if (!nextBatch()) {
                closeSegment();
            }
        }
        return true;
    }

    @Override
    public Turn next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int i = row++;
        rows++;
        Prompt.Builder prompt = Prompt.builder();
        for (int at = offsets[i]; at < offsets[i + 1]; at++) {
            prompt.span(starts[at], (int) lengths[at]);
        }
        return new Turn(
                (int) wholes[0][i],
                wholes[1][i],
                texts[0][i],
                texts[1][i],
                (int) wholes[2][i],
                wholes[3][i],
                prompt.build(),
                (int) wholes[4][i],
                wholes[5][i],
                new Turn.Recorded((int) wholes[6][i], wholes[7][i], wholes[8][i], wholes[9][i]),
                labels(i));
    }

    private Turn.Labels labels(int i) {
        for (int t = 2; t < texts.length; t++) {
            if (!texts[t][i].isEmpty()) {
                return new Turn.Labels(texts[2][i], texts[3][i], texts[4][i], texts[5][i], texts[6][i], texts[7][i]);
            }
        }
        return Turn.Labels.NONE;
    }

    private boolean openNext() {
        if (nextSegment == segments.size()) {
            return false;
        }
        Segment segment = segments.get(nextSegment++);
        rowsOfSegment = 0;
        ParquetFileReader reader = files.open(segment);
        file = Optional.of(reader);
        List<String> names = new ArrayList<>(TurnSegments.WHOLE);
        names.addAll(TurnSegments.TEXTS);
        names.addAll(List.of(TurnSegments.STARTS, TurnSegments.LENGTHS));
        try {
            columns = Optional.of(reader.buildColumnReaders(ColumnProjection.columns(names.toArray(new String[0])))
                    .batchSize(BATCH_ROWS)
                    .build());
        } catch (RuntimeException e) {
            throw files.damaged(segment, e);
        }
        return true;
    }

    private boolean nextBatch() {
        Segment segment = segments.get(nextSegment - 1);
        ColumnReaders readers = columns.orElseThrow();
        try {
            if (!readers.nextBatch()) {
                if (rowsOfSegment != segment.rows()) {
                    throw new UserError(files.path(segment) + " has " + rowsOfSegment + " requests, "
                            + TraceManifest.FILE + " says " + segment.rows() + "; take it from a copy of the trace");
                }
                return false;
            }
            for (int i = 0; i < wholes.length; i++) {
                wholes[i] = readers.getColumnReader(TurnSegments.WHOLE.get(i)).getLongs();
            }
            rowsOfBatch = readers.getRecordCount();
            for (int i = 0; i < texts.length; i++) {
                texts[i] = texts(readers.getColumnReader(TurnSegments.TEXTS.get(i)), caches[i]);
            }
            ColumnReader startColumn = readers.getColumnReader(TurnSegments.STARTS + TurnSegments.ELEMENTS);
            offsets = startColumn.getLayerOffsets(0);
            starts = startColumn.getLongs();
            lengths = readers.getColumnReader(TurnSegments.LENGTHS + TurnSegments.ELEMENTS)
                    .getLongs();
        } catch (UserError e) {
            throw e;
        } catch (RuntimeException e) {
            throw files.damaged(segment, e);
        }
        row = 0;
        rowsOfSegment += rowsOfBatch;
        return true;
    }

    private static String[] texts(ColumnReader reader, TextCache cache) {
        String[] out = new String[reader.getRecordCount()];
        byte[] bytes = reader.getBinaryValues();
        int[] ends = reader.getBinaryOffsets();
        for (int i = 0; i < out.length; i++) {
            out[i] = cache.text(bytes, ends[i], ends[i + 1]);
        }
        return out;
    }

    private void closeSegment() {
        columns.ifPresent(ColumnReaders::close);
        columns = Optional.empty();
        try {
            if (file.isPresent()) {
                file.get().close();
            }
        } catch (IOException e) {
            throw files.damaged(segments.get(nextSegment - 1), e);
        }
        file = Optional.empty();
        row = 0;
        rowsOfBatch = 0;
    }

    @Override
    public void close() {
        closeSegment();
    }
}
