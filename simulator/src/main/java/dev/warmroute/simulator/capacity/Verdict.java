package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Whether the sessions fit the cache. */
public enum Verdict {
    /** The fullest replica stays under 85 % with contexts at their 95th percentile. */
    FITS,
    /** Between the two: it may fit, or lose its cache in a bad minute. */
    EDGE,
    /** Some replica's sessions outgrow its cache even with mean contexts. */
    DOES_NOT_FIT;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    public static Verdict of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
