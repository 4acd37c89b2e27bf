package dev.warmroute.recorder;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Public traces beside the checkout; tests that need them are skipped where they are not. */
public final class SharedData {
    private SharedData() {}

    /** Root of the checkout. */
    public static Path root() {
        String given = System.getProperty("warmroute.root");
        if (given != null) {
            return Path.of(given);
        }
        Path at = Path.of("").toAbsolutePath();
        while (at.getParent() != null && !Files.isDirectory(at.resolve("recorder"))) {
            at = at.getParent();
        }
        return at;
    }

    public static Path file(String name) {
        Path file = root().resolve("../shared/data").resolve(name).normalize();
        Assumptions.assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
        return file;
    }
}
