package dev.warmroute.export.report;

import java.util.Objects;
import java.util.OptionalDouble;

/**
 * An assertion of {@code check} and how it came out.
 *
 * @param text as it was written, such as {@code hit>=70%}
 * @param value the figure that was held against it
 * @param low low end of its interval
 * @param high high end
 */
public record Assertion(String text, boolean ok, OptionalDouble value, OptionalDouble low, OptionalDouble high) {
    public Assertion {
        Objects.requireNonNull(text, "text");
    }
}
