package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;

/** What is wrong in a grid file: its name, the path of the key, and what was expected. */
final class GridError extends UserError {
    private static final long serialVersionUID = 1;

    GridError(String file, String path, String message) {
        super(file + ": " + (path.isEmpty() ? "" : path + ": ") + message);
    }

    GridError(String file, String path, UserError cause) {
        super(file + ": " + path + ": " + cause.getMessage(), cause);
    }
}
