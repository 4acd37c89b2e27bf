package dev.warmroute.recorder.format;

import com.github.luben.zstd.ZstdOutputStream;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * A file that is being exported: written beside its name and renamed once it is whole, so that nobody takes half of it for a
 * trace. Compressed with gzip or zstd when its name ends with {@code .gz} or {@code .zst}. UTF-8, lines end with a line feed.
 */
final class ExportFile implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final Path unfinished;
    private final Writer text;
    private boolean whole;

    private ExportFile(Path file, Path unfinished, Writer text) {
        this.file = file;
        this.unfinished = unfinished;
        this.text = text;
    }

    /**
     * Begins a file; one that is there already is replaced at the end.
     *
     * @throws UserError if it cannot be written
     */
    static ExportFile create(Path file) {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        if (Files.isDirectory(file)) {
            throw new UserError(file + " is a directory; name a file");
        }
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            OutputStream raw = Files.newOutputStream(unfinished);
            OutputStream out = raw;
            if (file.toString().endsWith(".gz")) {
                out = new GZIPOutputStream(raw, BUFFER);
            } else if (file.toString().endsWith(".zst")) {
                out = new ZstdOutputStream(raw);
            }
            return new ExportFile(
                    file, unfinished, new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER));
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    Writer text() {
        return text;
    }

    /** Gives the file its name. */
    void complete() {
        try {
            text.close();
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
            whole = true;
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    @Override
    public void close() {
        if (whole) {
            return;
        }
        try {
            text.close();
        } catch (IOException | UncheckedIOException e) {
            // it is deleted
        }
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    static UserError unwritable(Path file, IOException e) {
        return FileErrors.writing(file, e);
    }
}
