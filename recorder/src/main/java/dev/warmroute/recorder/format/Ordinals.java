package dev.warmroute.recorder.format;

import java.util.HashMap;
import java.util.Map;

/** Replaces names that belong to somebody by numbers in the order in which they appear. */
final class Ordinals {
    private final String prefix;
    private final Map<String, String> names = new HashMap<>();

    Ordinals(String prefix) {
        this.prefix = prefix;
    }

    /** What stands for a name; empty for none. */
    String name(String real) {
        return real.isEmpty() ? "" : names.computeIfAbsent(real, r -> prefix + (names.size() + 1));
    }

    /** Whether the name has appeared. */
    boolean has(String real) {
        return names.containsKey(real);
    }
}
