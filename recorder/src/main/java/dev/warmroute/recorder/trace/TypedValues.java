package dev.warmroute.recorder.trace;

import java.util.Optional;
import java.util.OptionalLong;

/** The values of a topic's typed columns for one event. */
final class TypedValues {
    private final TypedNames names;
    private final Object[] values;

    TypedValues(TypedNames names, Object[] values) {
        this.names = names;
        this.values = values;
    }

    /** Value of a column: Long, Double, String, Boolean, or null where the event has none. */
    Object get(int column) {
        return values[column];
    }

    Optional<String> text(String column) {
        int at = names.position(column);
        return at >= 0 && values[at] instanceof String s ? Optional.of(s) : Optional.empty();
    }

    OptionalLong whole(String column) {
        int at = names.position(column);
        return at >= 0 && values[at] instanceof Long n ? OptionalLong.of(n) : OptionalLong.empty();
    }
}
