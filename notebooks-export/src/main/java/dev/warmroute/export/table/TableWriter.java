package dev.warmroute.export.table;

import com.jerolba.carpet.CarpetWriter;
import com.jerolba.carpet.io.FileSystemOutputFile;
import com.jerolba.carpet.model.FieldType;
import com.jerolba.carpet.model.FieldTypes;
import com.jerolba.carpet.model.WriteRecordModelType;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import tech.tablesaw.api.BooleanColumn;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;
import tech.tablesaw.io.csv.CsvWriteOptions;

/**
 * Writes rows as {@code NAME.parquet} and {@code NAME.csv}, and makes a Tablesaw table of them. All rows are held in memory:
 * feed it up to a few million.
 */
public final class TableWriter {
    private static final String LIST_SEPARATOR = ";";

    /**
     * Writes both files into a directory, which is made if it is missing; files of the same name are replaced.
     *
     * @return the Parquet file
     * @throws UserError when the directory cannot be written
     */
    public <R> Path write(TableSchema<R> schema, Iterable<R> rows, Path directory) {
        Path parquet = directory.resolve(schema.name() + ".parquet");
        try {
            Files.createDirectories(directory);
            parquet(schema, rows, parquet);
            try (Writer csv = Files.newBufferedWriter(directory.resolve(schema.name() + ".csv"), StandardCharsets.UTF_8)) {
                table(schema, rows).write().usingOptions(CsvWriteOptions.builder(csv).lineEnd("\n").build());
            }
        } catch (IOException e) {
            throw new UserError(
                    "the table " + schema.name() + " could not be written to " + directory + ": " + e.getMessage()
                            + "; choose a directory that can be written",
                    e);
        }
        return parquet;
    }

    private static <R> void parquet(TableSchema<R> schema, Iterable<R> rows, Path file) throws IOException {
        WriteRecordModelType<R> model = FieldTypes.writeRecordModel(schema.rowType());
        for (Column<R> column : schema.columns()) {
            model = model.withField(column.name(), parquetType(column.kind()), column.value());
        }
        try (CarpetWriter<R> writer = new CarpetWriter.Builder<>(new FileSystemOutputFile(file.toFile()), schema.rowType())
                .withWriteRecordModel(model)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withExtraMetaData("warmroute.table", schema.name())
                .withExtraMetaData("warmroute.schema_version", Long.toString(TableSchema.VERSION))
                .build()) {
            for (R row : rows) {
                writer.write(row);
            }
        }
    }

    private static FieldType parquetType(Column.Kind kind) {
        return switch (kind) {
            case TEXT -> FieldTypes.STRING;
            case WHOLE -> FieldTypes.LONG;
            case NUMBER -> FieldTypes.DOUBLE;
            case FLAG -> FieldTypes.BOOLEAN;
            case TEXTS -> FieldTypes.LIST.ofType(FieldTypes.STRING);
            case NUMBERS -> FieldTypes.LIST.ofType(FieldTypes.DOUBLE);
        };
    }

    /** Returns the rows as a Tablesaw table; lists become text joined by semicolons. */
    public <R> Table table(TableSchema<R> schema, Iterable<R> rows) {
        Table table = Table.create(schema.name());
        for (Column<R> column : schema.columns()) {
            table.addColumns(
                    switch (column.kind()) {
                        case WHOLE -> wholes(column, rows);
                        case NUMBER -> numbers(column, rows);
                        case FLAG -> flags(column, rows);
                        case TEXT, TEXTS, NUMBERS -> texts(column, rows);
                    });
        }
        return table;
    }

    private static <R> LongColumn wholes(Column<R> column, Iterable<R> rows) {
        LongColumn values = LongColumn.create(column.name());
        for (R row : rows) {
            if (column.value().apply(row) instanceof Long value) {
                values.append(value);
            } else {
                values.appendMissing();
            }
        }
        return values;
    }

    private static <R> DoubleColumn numbers(Column<R> column, Iterable<R> rows) {
        DoubleColumn values = DoubleColumn.create(column.name());
        for (R row : rows) {
            if (column.value().apply(row) instanceof Double value) {
                values.append(value);
            } else {
                values.appendMissing();
            }
        }
        return values;
    }

    private static <R> BooleanColumn flags(Column<R> column, Iterable<R> rows) {
        BooleanColumn values = BooleanColumn.create(column.name());
        for (R row : rows) {
            if (column.value().apply(row) instanceof Boolean value) {
                values.append(value);
            } else {
                values.appendMissing();
            }
        }
        return values;
    }

    private static <R> StringColumn texts(Column<R> column, Iterable<R> rows) {
        StringColumn values = StringColumn.create(column.name());
        for (R row : rows) {
            Object value = column.value().apply(row);
            if (value instanceof List<?> list) {
                values.append(list.stream().map(v -> v == null ? "" : v.toString()).collect(Collectors.joining(LIST_SEPARATOR)));
            } else if (value == null) {
                values.appendMissing();
            } else {
                values.append(value.toString());
            }
        }
        return values;
    }
}
