package dev.warmroute.export.table;

import com.jerolba.carpet.CarpetWriter;
import com.jerolba.carpet.io.FileSystemOutputFile;
import com.jerolba.carpet.model.FieldType;
import com.jerolba.carpet.model.FieldTypes;
import com.jerolba.carpet.model.WriteRecordModelType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * A table as Parquet. The key-value metadata of the file names the table and its version, and for each column {@code unit.NAME}
 * (where it has one) and {@code meaning.NAME}.
 */
final class ParquetTable<R> implements TableFile<R> {
    /** Little, since several tables are written at the same time. */
    private static final long ROW_GROUP_BYTES = 16L << 20;

    private final Path file;
    private final CarpetWriter<R> parquet;

    ParquetTable(TableSchema<R> schema, Path file) throws IOException {
        this.file = file;
        WriteRecordModelType<R> model = FieldTypes.writeRecordModel(schema.rowType());
        for (Column<R> column : schema.columns()) {
            model = model.withField(column.name(), type(column.kind()), column.value());
        }
        CarpetWriter.Builder<R> builder = new CarpetWriter.Builder<>(
                        new FileSystemOutputFile(file.toFile()), schema.rowType())
                .withWriteRecordModel(model)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize(ROW_GROUP_BYTES);
        metadata(schema).forEach(builder::withExtraMetaData);
        parquet = builder.build();
    }

    private static Map<String, String> metadata(TableSchema<?> schema) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("warmroute.table", schema.name());
        metadata.put("warmroute.schema_version", Long.toString(TableSchema.VERSION));
        for (Column<?> column : schema.columns()) {
            if (column.unit() != Column.Unit.NONE) {
                metadata.put("unit." + column.name(), column.unit().symbol());
            }
            metadata.put("meaning." + column.name(), column.meaning());
        }
        return metadata;
    }

    private static FieldType type(Column.Kind kind) {
        return switch (kind) {
            case TEXT -> FieldTypes.STRING;
            case WHOLE -> FieldTypes.LONG;
            case NUMBER -> FieldTypes.DOUBLE;
            case FLAG -> FieldTypes.BOOLEAN;
            case TEXTS -> FieldTypes.LIST.ofType(FieldTypes.STRING);
            case NUMBERS -> FieldTypes.LIST.ofType(FieldTypes.DOUBLE);
        };
    }

    @Override
    public void write(R row) throws IOException {
        parquet.write(row);
    }

    @Override
    public void close() throws IOException {
        parquet.close();
        ParquetFooter.sort(file);
    }
}
