package dev.warmroute.export.table;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * The end of a Parquet file. The library lists the encodings of a column in the order of a hash set of enums, which is another
 * one in each JVM; sorted, equal rows give equal bytes.
 */
final class ParquetFooter {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL = Integer.BYTES + MAGIC.length;

    private ParquetFooter() {}

    /** Writes the footer of a finished file anew, in its one order, and brings the file to the disk. */
    static void sort(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer tail = read(channel, channel.size() - TAIL, TAIL);
            int length = tail.getInt();
            long start = channel.size() - TAIL - length;
            FileMetaData footer = Util.readFileMetaData(
                    new ByteArrayInputStream(read(channel, start, length).array()));
            for (RowGroup group : footer.getRow_groups()) {
                for (ColumnChunk column : group.getColumns()) {
                    column.getMeta_data().getEncodings().sort(Comparator.comparingInt(Encoding::getValue));
                }
            }
            ByteArrayOutputStream sorted = new ByteArrayOutputStream();
            Util.writeFileMetaData(footer, sorted);
            ByteBuffer end = ByteBuffer.allocate(sorted.size() + TAIL).order(ByteOrder.LITTLE_ENDIAN);
            end.put(sorted.toByteArray()).putInt(sorted.size()).put(MAGIC).flip();
            channel.truncate(start);
            channel.position(start);
            while (end.hasRemaining()) {
                channel.write(end);
            }
            channel.force(true);
        }
    }

    private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position()) < 0) {
                throw new IOException("a Parquet file ends too early");
            }
        }
        return bytes.flip();
    }
}
