package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What keeps a fleet from serving more sessions. */
public enum Limit {
    /** The sessions' contexts fill the KV cache. */
    CACHE,
    /** The replicas compute prompts all the time. */
    PREFILL,
    /** The replicas generate all the time. */
    DECODE,
    /** Some replicas have more sessions than fit while others have room. */
    PLACEMENT;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    public static Limit of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
