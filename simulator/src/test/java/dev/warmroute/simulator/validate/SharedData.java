package dev.warmroute.simulator.validate;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the folder of third-party data beside the checkout; tests that need it are skipped without it. */
public final class SharedData {
    private SharedData() {}

    public static Path folder(String name) {
        String root = System.getProperty("warmroute.root", "");
        Path at =
                Path.of(root.isEmpty() ? System.getProperty("user.dir") : root).toAbsolutePath();
        while (at != null) {
            Path candidate = at.resolve("../shared/data").resolve(name).normalize();
            if (Files.exists(candidate)) {
                return candidate;
            }
            at = at.getParent();
        }
        return Path.of("../shared/data", name);
    }
}
