package dev.warmroute.router.config;

import dev.warmroute.router.UserError;
import dev.warmroute.router.session.Salt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The file with the secret behind all hashes: 64 hexadecimal digits, made on first start, readable by its owner alone. */
public final class SaltFile {
    private static final int SECRET_BYTES = 32;

    private SaltFile() {}

    /** Reads the secret, or makes the file when there is none; of several routers that start at once all get the same. */
    public static Salt readOrCreate(Path file) {
        try {
            if (!Files.exists(file)) {
                create(file.toAbsolutePath());
            }
            return new Salt(parse(file, Files.readString(file).strip()));
        } catch (IOException e) {
            throw new UserError("salt_file " + file + ": cannot be read or made: " + e.getMessage(), e);
        }
    }

    private static byte[] parse(Path file, String text) {
        try {
            byte[] secret = HexFormat.of().parseHex(text);
            if (secret.length >= SECRET_BYTES / 2) {
                return secret;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new UserError(
                "salt_file " + file + ": must hold at least 32 hexadecimal digits; remove it to have one made,"
                        + " which gives every conversation a new hash");
    }

    /** Writes beside the file and links it into place, which fails when another process was first. */
    private static void create(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Path draft = Files.createTempFile(file.getParent(), "salt", ".new");
        try {
            if (Files.getFileStore(draft).supportsFileAttributeView(PosixFileAttributeView.class)) {
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
            }
            Files.writeString(draft, HexFormat.of().formatHex(secret) + "\n");
            link(draft, file);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static void link(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            return;
        } catch (UnsupportedOperationException e) {
            Files.move(draft, file);
        }
    }
}
