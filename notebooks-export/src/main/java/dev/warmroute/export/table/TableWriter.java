package dev.warmroute.export.table;

import dev.warmroute.router.UserError;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/** Writes rows that are there all at once, as Parquet and CSV; {@link TableSink} takes them one by one. */
public final class TableWriter {
    /**
     * Writes both files into a directory, which is made if it is missing; files of the same name are replaced.
     *
     * @return the Parquet file
     * @throws UserError when the directory cannot be written
     */
    public <R> Path write(TableSchema<R> schema, Iterable<R> rows, Path directory) {
        try (TableSink<R> sink = new TableSink<>(schema, EnumSet.allOf(TableFormat.class), directory)) {
            rows.forEach(sink);
            List<Path> files = sink.finish();
            return files.get(TableFormat.PARQUET.ordinal());
        }
    }
}
