package dev.warmroute.router.config;

import dev.warmroute.router.config.ConfigError.Problem;
import java.util.ArrayList;
import java.util.List;

/** What is wrong in a file, in the order in which it was found. */
final class Problems {
    private final String file;
    private final List<Problem> found = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void add(String path, String message) {
        found.add(new Problem(path, message));
    }

    /** Throws one error that lists everything. */
    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new ConfigError(file, found);
        }
    }
}
