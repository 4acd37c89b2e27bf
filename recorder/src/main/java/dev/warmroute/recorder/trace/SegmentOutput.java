package dev.warmroute.recorder.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A file that Parquet writes front to back: hashed on the way, and on the disk itself once closed. */
final class SegmentOutput implements OutputFile {
    private static final int BUFFER = 1 << 16;

    private final Path path;
    private final MessageDigest digest = sha256();
    private long position;

    SegmentOutput(Path path) {
        this.path = path;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** SHA-256 of everything written, in hex; once, after closing. */
    String hash() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Bytes written. */
    long bytes() {
        return position;
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
        return new Stream(FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
        return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    private final class Stream extends PositionOutputStream {
        private final FileChannel channel;
        private final byte[] buffer = new byte[BUFFER];
        private int buffered;
        private boolean closed;

        private Stream(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) throws IOException {
            if (buffered == BUFFER) {
                drain();
            }
            buffer[buffered++] = (byte) b;
            position++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            position += length;
            if (length >= BUFFER) {
                drain();
                put(bytes, offset, length);
                return;
            }
            if (buffered + length > BUFFER) {
                drain();
            }
            System.arraycopy(bytes, offset, buffer, buffered, length);
            buffered += length;
        }

        private void drain() throws IOException {
            put(buffer, 0, buffered);
            buffered = 0;
        }

        private void put(byte[] bytes, int offset, int length) throws IOException {
            digest.update(bytes, offset, length);
            ByteBuffer from = ByteBuffer.wrap(bytes, offset, length);
            while (from.hasRemaining()) {
                channel.write(from);
            }
        }

        @Override
        public void flush() throws IOException {
            drain();
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            try (channel) {
                drain();
                channel.force(true);
            }
        }
    }
}
