package dev.warmroute.export.table;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tech.tablesaw.io.csv.CsvWriteOptions;

/** A table as CSV in UTF-8 with one line of names, written through Tablesaw tables of a bounded number of rows. */
final class CsvTable<R> implements TableFile<R> {
    private static final int ROWS_HELD = 10_000;

    private final TableSchema<R> schema;
    private final Writer csv;
    private final List<R> held = new ArrayList<>();
    private boolean begun;

    CsvTable(TableSchema<R> schema, Path file) throws IOException {
        this.schema = schema;
        this.csv = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    }

    @Override
    public void write(R row) {
        held.add(row);
        if (held.size() == ROWS_HELD) {
            flush();
        }
    }

    private void flush() {
        CsvWriteOptions options =
                CsvWriteOptions.builder(csv).lineEnd("\n").header(!begun).build();
        TablesawTables.of(schema, held).write().usingOptions(options);
        begun = true;
        held.clear();
    }

    @Override
    public void close() throws IOException {
        if (!held.isEmpty() || !begun) {
            flush();
        }
        csv.close();
    }
}
