package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Segment;
import java.util.List;
import java.util.NoSuchElementException;

/** The events of several segments, one segment open at a time. */
final class SegmentCursor implements EventCursor {
    private static final String[] COLUMNS = {
        "partition",
        "offset",
        "timestamp_ms",
        "key",
        "ce_id",
        "ce_type",
        "ce_source",
        "ce_subject",
        "ce_time",
        "ce_sequence",
        "ce_saltid",
        SegmentWriter.DATA
    };

    private final ColumnCursor columns;
    private int row;
    private int rows;

    SegmentCursor(SegmentFile files, List<Segment> segments) {
        columns = new ColumnCursor(files, segments, COLUMNS);
    }

    @Override
    public boolean hasNext() {
        while (row == rows) {
            if (!columns.nextBatch()) {
                return false;
            }
            row = 0;
            rows = columns.rows();
        }
        return true;
    }

    @Override
    public RecordedEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int i = row++;
        return new RecordedEvent(
                columns.topic(),
                columns.ints(0)[i],
                columns.longs(1)[i],
                columns.longs(2)[i],
                columns.texts(3)[i],
                columns.texts(4)[i],
                columns.texts(5)[i],
                columns.texts(6)[i],
                columns.texts(7)[i],
                columns.texts(8)[i],
                columns.longs(9)[i],
                columns.texts(10)[i],
                columns.bytes(11)[i]);
    }

    @Override
    public void close() {
        columns.close();
    }
}
