package dev.warmroute.export.table;

import dev.warmroute.recorder.trace.ParquetEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Puts the end of a finished Parquet file into {@link ParquetEnd its one order}. */
final class ParquetFooter {
    private ParquetFooter() {}

    /** Writes the footer anew and brings the file to the disk. */
    static void sort(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long tail = channel.size() - ParquetEnd.TAIL;
            int length = ParquetEnd.footerLength(read(channel, tail, ParquetEnd.TAIL));
            ByteBuffer end = ByteBuffer.wrap(ParquetEnd.inOrder(read(channel, tail - length, length)));
            channel.truncate(tail - length);
            channel.position(tail - length);
            while (end.hasRemaining()) {
                channel.write(end);
            }
            channel.force(true);
        }
    }

    private static byte[] read(FileChannel channel, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position()) < 0) {
                throw new IOException("a Parquet file ends too early");
            }
        }
        return bytes.array();
    }
}
