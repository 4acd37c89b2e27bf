package dev.warmroute.export.table;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A kind of file that tables are written as. A new one is a {@link TableFile} and its line here. */
public enum TableFormat {
    PARQUET(ParquetTable::new),
    CSV(CsvTable::new);

    /** Opens a file; its directory exists. */
    private interface Opening {
        <R> TableFile<R> open(TableSchema<R> schema, Path file) throws IOException;
    }

    private final Opening opening;

    TableFormat(Opening opening) {
        this.opening = opening;
    }

    /** Name on the command line, and extension of the files. */
    public String formatName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The format of a name. */
    public static TableFormat named(String name) {
        return Arrays.stream(values())
                .filter(f -> f.formatName().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError("there is no table format '" + name + "'; the formats are "
                        + Arrays.stream(values()).map(TableFormat::formatName).collect(Collectors.joining(", "))));
    }

    <R> TableFile<R> open(TableSchema<R> schema, Path file) throws IOException {
        return opening.open(schema, file);
    }
}
