package dev.warmroute.router.event;

import java.util.Locale;

/** The topics, without their configurable prefix. */
public enum Topic {
    DECISIONS,
    REQUESTS,
    COUNTERS,
    CONTROL,
    PROMPTS,
    /** Compacted: the last value of each conversation. */
    HOMES;

    /** Name on the broker, for example {@code warmroute.decisions}. */
    public String name(String prefix) {
        return prefix + '.' + shortName();
    }

    /** Name without the prefix, for example {@code decisions}. */
    public String shortName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean compacted() {
        return this == HOMES;
    }
}
