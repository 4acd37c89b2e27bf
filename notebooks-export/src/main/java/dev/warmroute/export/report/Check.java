package dev.warmroute.export.report;

import java.util.Objects;
import java.util.Optional;

/**
 * One of the three ways to ask whether it fits: the rule, the reuse distances, the simulation.
 *
 * @param name {@code rule}, {@code reuse distance} or {@code simulation}
 * @param result what it found, in words and figures
 * @param level what it says; empty when it only bounds the answer
 * @param meaning what kind of answer it is
 */
public record Check(String name, String result, Optional<Level> level, String meaning) {
    public Check {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(meaning, "meaning");
    }
}
