package dev.warmroute.recorder.trace;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * The end of a Parquet file: footer, the footer's length in four bytes, the format's name in four. The library lists the encodings of
 * a column in the order of a hash set of enums, which is another one in each JVM; sorted, equal rows give equal bytes.
 */
public final class ParquetEnd {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** Bytes behind the footer. */
    public static final int TAIL = Integer.BYTES + 4;

    private ParquetEnd() {}

    /**
     * Bytes of the footer of a file.
     *
     * @param tail the file's last {@link #TAIL} bytes
     */
    public static int footerLength(byte[] tail) {
        return ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    /**
     * The end of a file in its one order.
     *
     * @param footer the footer as the library wrote it
     * @return footer and what follows it
     */
    public static byte[] inOrder(byte[] footer) throws IOException {
        FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(footer));
        for (RowGroup group : file.getRow_groups()) {
            for (ColumnChunk column : group.getColumns()) {
                column.getMeta_data().getEncodings().sort(Comparator.comparingInt(Encoding::getValue));
            }
        }
        ByteArrayOutputStream sorted = new ByteArrayOutputStream(footer.length + TAIL);
        Util.writeFileMetaData(file, sorted);
        int length = sorted.size();
        sorted.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array());
        sorted.writeBytes(MAGIC);
        return sorted.toByteArray();
    }
}
