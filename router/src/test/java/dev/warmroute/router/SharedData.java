package dev.warmroute.router;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Recordings beside the repository, which are not part of it. */
public final class SharedData {
    private SharedData() {}

    /** A file under {@code ../shared/data}; the test is skipped when it is not there. */
    public static Path file(String name) {
        Path root = Path.of(System.getProperty("warmroute.root", "..")).toAbsolutePath();
        Path file = root.resolve("../shared/data").resolve(name).normalize();
        assumeTrue(Files.exists(file), () -> "not here: " + file);
        return file;
    }
}
