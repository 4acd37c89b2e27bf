package dev.warmroute.router.config;

import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.List;

/** What is wrong in a file, in the order in which it was found. */
final class Problems {
    private final String file;
    private final List<String> lines = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void add(String path, String message) {
        lines.add(path.isEmpty() ? message : path + ": " + message);
    }

    /** Throws one error that lists everything; a single problem stays on one line. */
    void throwIfAny() {
        if (lines.size() == 1) {
            throw new UserError(file + ": " + lines.get(0));
        }
        if (!lines.isEmpty()) {
            throw new UserError(file + ": " + lines.size() + " problems\n  " + String.join("\n  ", lines));
        }
    }
}
