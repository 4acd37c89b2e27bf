package dev.warmroute.recorder.format;

import com.github.luben.zstd.ZstdInputStream;
import dev.warmroute.router.UserError;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/**
 * A file with a trace in it: opened through gzip or zstd when its first bytes say so, whatever its name is.
 *
 * @param name how the user called it, for messages and descriptions
 */
public record TraceFile(Path path, String name) {
    private static final int BUFFER = 1 << 16;

    /**
     * Opens the content.
     *
     * @throws UserError if there is no such file or it cannot be read
     */
    InputStream open() {
        if (Files.isDirectory(path)) {
            throw new UserError(path + " is a directory; a trace file was expected");
        }
        try {
            BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(path), BUFFER);
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
            throw new UserError(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** SHA-256 of the bytes on disk, in hex. Reads the whole file. */
    String sha256() {
        try (InputStream in = Files.newInputStream(path)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UserError(path + " cannot be read: " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
