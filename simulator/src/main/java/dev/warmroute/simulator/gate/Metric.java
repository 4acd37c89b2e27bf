package dev.warmroute.simulator.gate;

import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Study;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A figure that can be asserted.
 *
 * @param name field name in a row of {@code whatif}; of maps with a dot, {@code misses.moved}
 * @param unit what it is in
 * @param value reads it from a row; empty where it was not computed
 */
public record Metric(String name, Unit unit, Function<PolicyRow, OptionalDouble> value) {
    public Metric {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(value, "value");
    }

    /** The name without its unit, {@code hit} of {@code hit_pct}; numbers beside it need theirs. */
    public String shortName() {
        return switch (unit) {
            case PERCENT -> without("_pct");
            case SECONDS -> without("_s");
            case TOKENS_PER_MIN -> without("_tokens_per_min");
            case TOKENS, NONE -> name;
        };
    }

    private String without(String suffix) {
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }

    boolean isNamed(String word) {
        return name.equals(word) || shortName().equals(word);
    }

    /** Whether what-if says how it would vary with other sessions. */
    public boolean resampled() {
        return Study.resamples(name);
    }
}
