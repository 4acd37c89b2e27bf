package dev.warmroute.recorder.format;

import com.github.luben.zstd.ZstdInputStream;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A file with a trace in it: opened through gzip or zstd when its first bytes say so, whatever its name is. Formats that
 * consist of many files take a directory of them.
 *
 * @param name how the user called it, for messages and descriptions
 * @param blockSize tokens in a block, where the user said
 */
public record TraceFile(Path path, String name, OptionalInt blockSize) {
    private static final int BUFFER = 1 << 16;

    public TraceFile(Path path, String name) {
        this(path, name, OptionalInt.empty());
    }

    /** Opens the content. */
    InputStream open() {
        return open(new LongAdder());
    }

    /**
     * Opens the content.
     *
     * @param read grows with the bytes read from the disk
     * @throws UserError if there is no such file, it is a pipe or a device, or it cannot be read
     */
    InputStream open(LongAdder read) {
        if (Files.isDirectory(path)) {
            throw new UserError(path + " is a directory; a trace file was expected");
        }
        requireReadAgain();
        try {
            BufferedInputStream raw = new BufferedInputStream(new Counted(Files.newInputStream(path), read), BUFFER);
            raw.mark(4);
            byte[] magic = raw.readNBytes(4);
            raw.reset();
            if (magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b) {
                return new GZIPInputStream(raw, BUFFER);
            }
            if (magic.length == 4
                    && (magic[0] & 0xff) == 0x28
                    && (magic[1] & 0xff) == 0xb5
                    && (magic[2] & 0xff) == 0x2f
                    && (magic[3] & 0xff) == 0xfd) {
                return new ZstdInputStream(raw);
            }
            return raw;
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + path, e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /**
     * The files in it: itself, or the files of a directory and of those below it in order of their paths.
     *
     * @param wanted which file names of a directory belong to the format
     * @throws UserError if a directory has none
     */
    List<TraceFile> files(Predicate<String> wanted) {
        if (!Files.isDirectory(path)) {
            return List.of(this);
        }
        try (Stream<Path> all = Files.walk(path)) {
            List<TraceFile> files = all.filter(Files::isRegularFile)
                    .filter(p -> wanted.test(p.getFileName().toString()))
                    .sorted()
                    .map(p -> new TraceFile(p, name, blockSize))
                    .toList();
            if (files.isEmpty()) {
                throw new UserError("there is no file of this format in the directory " + path);
            }
            return files;
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** Bytes on the disk; 0 for a directory or what is not there. */
    long size() {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** SHA-256 of the bytes on disk, in hex; of a directory, that of the names and contents of its files. Reads all. */
    String sha256() {
        MessageDigest digest = digest();
        for (TraceFile file : files(n -> !n.startsWith("."))) {
            if (!file.path.equals(path)) {
                digest.update(
                        path.relativize(file.path).toString().replace('\\', '/').getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            file.addTo(digest);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A pipe would be split between those that read it: the hash, a first pass for the start, the rows. */
    private void requireReadAgain() {
        if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
            throw new UserError(path
                    + " is neither a file nor a directory, and it is read more than once: save it to a file first");
        }
    }

    private void addTo(MessageDigest digest) {
        requireReadAgain();
        try (InputStream in = Files.newInputStream(path)) {
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static UserError unreadable(Path path, IOException e) {
        return FileErrors.reading(path, e);
    }

    /** Counts what is read. */
    private static final class Counted extends FilterInputStream {
        private final LongAdder read;

        private Counted(InputStream in, LongAdder read) {
            super(in);
            this.read = read;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            if (b >= 0) {
                read.increment();
            }
            return b;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int n = super.read(bytes, offset, length);
            read.add(Math.max(0, n));
            return n;
        }
    }
}
