package dev.warmroute.router.live;

import dev.warmroute.router.UserError;
import dev.warmroute.router.session.Salt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The file that holds the secret behind all hashes: 64 hex digits, readable by its owner alone, made on first start. */
public final class SaltFile {
    private static final int BYTES = 32;

    private SaltFile() {}

    /**
     * Reads the salt, or makes one when there is no file yet.
     *
     * @throws UserError if the file is something else, or cannot be read or made
     */
    public static Salt readOrCreate(Path file) {
        try {
            return parse(file, Files.readString(file, StandardCharsets.US_ASCII));
        } catch (NoSuchFileException e) {
            return create(file);
        } catch (IOException e) {
            throw new UserError("salt_file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Salt create(Path file) {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
            FileAttribute<?>[] ownerOnly = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
            Files.createFile(file, ownerOnly);
            Files.writeString(file, HexFormat.of().formatHex(secret) + "\n", StandardOpenOption.WRITE);
            return new Salt(secret);
        } catch (FileAlreadyExistsException e) {
            // another router on the same directory was faster
            return readOrCreate(file);
        } catch (IOException e) {
            throw new UserError("salt_file " + file + " cannot be made: " + e.getMessage(), e);
        }
    }

    private static Salt parse(Path file, String text) {
        String hex = text.strip();
        try {
            byte[] secret = HexFormat.of().parseHex(hex);
            if (secret.length >= 16) {
                return new Salt(secret);
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new UserError("salt_file " + file + " must hold at least 32 hex digits; delete it to have a new one made"
                + " (homes and hashes then start afresh)");
    }
}
