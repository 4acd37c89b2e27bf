package dev.warmroute.export.table;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes a table row by row, in every format asked for, in memory that does not grow with the rows. Files get their names when
 * the table is {@link #finish finished}; what is closed before leaves nothing behind. Not safe for use by several threads at
 * the same time.
 */
public final class TableSink<R> implements Consumer<R>, AutoCloseable {
    private final TableSchema<R> schema;
    private final Path directory;
    private final Map<TableFormat, TableFile<R>> files = new EnumMap<>(TableFormat.class);
    private long rows;

    /**
     * @param directory is made if it is missing
     * @throws UserError when it cannot be written
     */
    public TableSink(TableSchema<R> schema, Set<TableFormat> formats, Path directory) {
        this.schema = schema;
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            for (TableFormat format : formats) {
                files.put(format, format.open(schema, unfinished(format)));
            }
        } catch (IOException e) {
            close();
            throw failed(e);
        }
    }

    private Path file(TableFormat format) {
        return directory.resolve(schema.name() + '.' + format.formatName());
    }

    private Path unfinished(TableFormat format) {
        return directory.resolve(schema.name() + '.' + format.formatName() + ".tmp");
    }

    @Override
    public void accept(R row) {
        rows++;
        try {
            for (TableFile<R> file : files.values()) {
                file.write(row);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    TableSchema<R> schema() {
        return schema;
    }

    /** Rows taken so far. */
    public long rows() {
        return rows;
    }

    /**
     * Ends the table; files of the same name are replaced.
     *
     * @return its files
     */
    public List<Path> finish() {
        List<Path> finished = new ArrayList<>();
        try {
            for (Map.Entry<TableFormat, TableFile<R>> file : files.entrySet()) {
                file.getValue().close();
                Files.move(unfinished(file.getKey()), file(file.getKey()), StandardCopyOption.REPLACE_EXISTING);
                finished.add(file(file.getKey()));
            }
        } catch (IOException e) {
            throw failed(e);
        }
        files.clear();
        return finished;
    }

    /** Drops what was not finished. */
    @Override
    public void close() {
        List<IOException> failures = new ArrayList<>();
        files.forEach((format, file) -> {
            try {
                file.close();
            } catch (IOException e) {
                // it is dropped: nobody misses its end
            }
            try {
                Files.deleteIfExists(unfinished(format));
            } catch (IOException e) {
                failures.add(e);
            }
        });
        files.clear();
        if (!failures.isEmpty()) {
            throw failed(failures.getFirst());
        }
    }

    private UserError failed(IOException e) {
        return new UserError(
                "the table " + schema.name() + " could not be written to " + directory + ": " + FileErrors.reason(e)
                        + "; choose a directory that can be written",
                e);
    }
}
