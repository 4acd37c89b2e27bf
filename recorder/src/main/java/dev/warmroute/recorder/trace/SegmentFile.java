package dev.warmroute.recorder.trace;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.CRC32C;

/**
 * The files of a trace's segments: each is compared with the manifest before its first byte is taken for data, so that what a
 * disk, a copy or a power cut did to it is never read as an event.
 */
final class SegmentFile {
    private static final int BUFFER = 1 << 20;

    /** Kept here so that the level stays: the Parquet reader tells at info level which CPU instructions it does without. */
    private static final Logger PARQUET_READER = Logger.getLogger("dev.hardwood");

    static {
        PARQUET_READER.setLevel(Level.WARNING);
    }

    private final Path directory;
    private final Set<String> compared = ConcurrentHashMap.newKeySet();

    SegmentFile(Path directory) {
        this.directory = directory;
    }

    Path path(Segment segment) {
        return directory.resolve(segment.file());
    }

    /**
     * Opens a segment.
     *
     * @throws UserError if its file is not what was recorded
     */
    ParquetFileReader open(Segment segment) {
        require(segment);
        if (!compared.contains(segment.file())) {
            String crc = crc32c(path(segment));
            if (!crc.equals(segment.crc32c())) {
                throw new UserError(path(segment) + " is damaged: its checksum is " + crc + ", " + TraceManifest.FILE
                        + " says " + segment.crc32c() + "; take the file from a copy of the trace");
            }
            compared.add(segment.file());
        }
        try {
            return ParquetFileReader.open(InputFile.of(path(segment)));
        } catch (IOException | RuntimeException e) {
            throw damaged(segment, e);
        }
    }

    /**
     * Looks whether the file is there and as long as it should be.
     *
     * @throws UserError if it is not
     */
    void require(Segment segment) {
        Path file = path(segment);
        try {
            if (!Files.isRegularFile(file)) {
                throw new UserError(file + " is missing: " + TraceManifest.FILE + " lists it with " + segment.rows()
                        + " events; take it from a copy of the trace");
            }
            long bytes = Files.size(file);
            if (bytes != segment.bytes()) {
                throw new UserError(file + " has " + bytes + " bytes, " + TraceManifest.FILE + " says "
                        + segment.bytes() + ": it was cut off or changed; take it from a copy of the trace");
            }
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    UserError damaged(Segment segment, Exception e) {
        return new UserError(
                path(segment) + " is damaged: " + e.getMessage() + "; take the file from a copy of the trace", e);
    }

    private static String crc32c(Path file) {
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(Math.clamp(channel.size(), 1, BUFFER));
            while (channel.read(buffer) >= 0) {
                crc.update(buffer.flip());
                buffer.clear();
            }
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
