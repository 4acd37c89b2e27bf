package dev.warmroute.export.table;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The tables of one directory, written at the same time. A table that gets no row leaves no file. */
public final class TableSet implements AutoCloseable {
    private final Path directory;
    private final Set<TableFormat> formats;
    private final List<TableSink<?>> sinks = new ArrayList<>();

    public TableSet(Path directory, Set<TableFormat> formats) {
        this.directory = directory;
        this.formats = Set.copyOf(formats);
    }

    /**
     * A table that was written.
     *
     * @param files one for each format
     */
    public record Written(TableSchema<?> schema, long rows, List<Path> files) {
        public Written {
            files = List.copyOf(files);
        }
    }

    /** Opens a table for its rows. */
    public <R> TableSink<R> open(TableSchema<R> schema) {
        TableSink<R> sink = new TableSink<>(schema, formats, directory);
        sinks.add(sink);
        return sink;
    }

    /** Writes a table whose rows are all there. */
    public <R> void write(TableSchema<R> schema, Iterable<R> rows) {
        rows.forEach(open(schema));
    }

    /** Ends all tables and returns those that have rows, in the order in which they were opened. */
    public List<Written> finish() {
        List<Written> written = new ArrayList<>();
        for (TableSink<?> sink : sinks) {
            if (sink.rows() > 0) {
                written.add(new Written(sink.schema(), sink.rows(), sink.finish()));
            } else {
                sink.close();
            }
        }
        sinks.clear();
        return written;
    }

    @Override
    public void close() {
        sinks.forEach(TableSink::close);
        sinks.clear();
    }
}
