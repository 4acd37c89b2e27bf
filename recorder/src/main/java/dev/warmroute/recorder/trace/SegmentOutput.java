package dev.warmroute.recorder.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * A file that Parquet writes front to back: hashed on the way, and on the disk itself once closed, with its end {@link ParquetEnd in
 * order}, for which {@link #ends} has to be said before.
 */
final class SegmentOutput implements OutputFile {
    private static final int BUFFER = 1 << 16;

    private final Path path;
    private final TraceFiles files;
    private final MessageDigest digest = sha256();
    private final CRC32C crc = new CRC32C();
    private Optional<TraceFiles.NewFile> opened = Optional.empty();
    private Optional<ByteArrayOutputStream> end = Optional.empty();
    private long position;

    SegmentOutput(Path path, TraceFiles files) {
        this.path = path;
        this.files = files;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** What is written from here on, at most a row group and the footer, is kept back until the file is closed. */
    void ends() {
        end = Optional.of(new ByteArrayOutputStream());
    }

    /** SHA-256 of everything written, in hex; once, after closing. */
    String hash() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** CRC-32C of everything written, in hex. */
    String crc32c() {
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Lets the file go, whatever state it is in. */
    void abandon() {
        try {
            if (opened.isPresent()) {
                opened.get().close();
            }
        } catch (IOException e) {
            // nobody will read it
        }
    }

    /** Bytes written. */
    long bytes() {
        return position;
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
        opened = Optional.of(files.create(path));
        return new Stream(opened.get());
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
        private final TraceFiles.NewFile file;
        private final byte[] buffer = new byte[BUFFER];
        private int buffered;
        private boolean closed;

        private Stream(TraceFiles.NewFile file) {
            this.file = file;
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
            if (end.isPresent()) {
                end.get().write(bytes, offset, length);
            } else {
                putOut(bytes, offset, length);
            }
        }

        private void putOut(byte[] bytes, int offset, int length) throws IOException {
            digest.update(bytes, offset, length);
            crc.update(bytes, offset, length);
            file.write(ByteBuffer.wrap(bytes, offset, length));
        }

        private void putEnd(byte[] kept) throws IOException {
            int tail = kept.length - ParquetEnd.TAIL;
            int footer = tail < 0 ? -1 : tail - ParquetEnd.footerLength(Arrays.copyOfRange(kept, tail, kept.length));
            if (footer < 0 || footer > tail) {
                throw new IOException(path + " was closed before it had an end");
            }
            byte[] inOrder = ParquetEnd.inOrder(Arrays.copyOfRange(kept, footer, tail));
            putOut(kept, 0, footer);
            putOut(inOrder, 0, inOrder.length);
            position += footer + inOrder.length - kept.length;
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
            try (file) {
                drain();
                if (end.isPresent()) {
                    putEnd(end.get().toByteArray());
                }
                file.force();
            }
        }
    }
}
