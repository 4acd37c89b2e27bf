package dev.warmroute.recorder.file;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file in one step: whoever looks, also after a crash, finds the old or the new one, whole. */
public final class WholeFile {
    private static final String UNFINISHED = ".tmp";

    private WholeFile() {}

    /**
     * Writes a file, or replaces it. Its directories are made if they are missing. What is there and is no plain file, such as
     * {@code /dev/stdout} or a link, cannot be replaced and is written to as it stands.
     *
     * @throws IOException if it cannot be written; the old file is then as it was
     */
    public static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        if (Files.isSymbolicLink(file) || (Files.exists(file) && !Files.isRegularFile(file))) {
            Files.write(file, content);
            return;
        }
        Path unfinished = unfinished(file);
        try {
            force(unfinished, content);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /**
     * The same for a text, in UTF-8, that a person asked for.
     *
     * @throws UserError if it cannot be written; the old file is then as it was
     */
    public static void save(Path file, String text) {
        save(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The same for bytes that a person asked for.
     *
     * @throws UserError if it cannot be written; the old file is then as it was
     */
    public static void save(Path file, byte[] content) {
        try {
            write(file, content);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /** Where a file is written before it has its name; a crash may leave it. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + UNFINISHED);
    }

    private static void force(Path file, byte[] content) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }
}
