package dev.warmroute.router.config;

import dev.warmroute.router.UserError;
import java.util.List;
import java.util.stream.Collectors;

/** Everything that is wrong in a configuration, or in a change to it. */
public final class ConfigError extends UserError {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /**
     * One mistake.
     *
     * @param path the key with its parents, such as {@code models[0].policy}; empty: the whole
     * @param message what was expected
     */
    public record Problem(String path, String message) {
        @Override
        public String toString() {
            return path.isEmpty() ? message : path + ": " + message;
        }
    }

    /** @param name stands for the file in the message */
    ConfigError(String name, List<Problem> problems) {
        super(message(name, problems));
        this.problems = List.copyOf(problems);
    }

    /** A single problem stays on one line. */
    private static String message(String name, List<Problem> problems) {
        return problems.size() == 1
                ? name + ": " + problems.get(0)
                : problems.stream()
                        .map(Problem::toString)
                        .collect(Collectors.joining("\n  ", name + ": " + problems.size() + " problems\n  ", ""));
    }

    /** In the order in which they were found. */
    public List<Problem> problems() {
        return problems;
    }
}
