package dev.warmroute.simulator.replay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The shared data beside the repository; tests that need it are skipped where it is not there. */
public final class Data {
    private Data() {}

    /** Path of a file below {@code ../shared/data}. */
    public static Path file(String name) {
        Path dir = Path.of(System.getProperty("warmroute.root", System.getProperty("user.dir")))
                .toAbsolutePath();
        while (dir != null) {
            Path file = dir.resolve("../shared/data").resolve(name).normalize();
            if (Files.exists(file)) {
                return file;
            }
            dir = dir.getParent();
        }
        assumeTrue(false, "../shared/data/" + name + " is not there");
        throw new AssertionError("unreachable");
    }
}
