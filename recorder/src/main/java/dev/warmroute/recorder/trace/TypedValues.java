package dev.warmroute.recorder.trace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The values of a topic's typed columns for the event at hand; filled again for every event. */
final class TypedValues {
    private final EventScanner scanner;
    private final Object[] values;
    private final Map<String, Integer> byName = new HashMap<>();

    TypedValues(List<EventColumn> columns) {
        scanner = new EventScanner(columns);
        values = new Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            byName.put(columns.get(i).name(), i);
        }
    }

    /** Takes the values out of an event; false when its value is not a JSON object. */
    boolean fill(RecordedEvent event) {
        Arrays.fill(values, null);
        return event.tombstone() || scanner.scan(event.data(), values);
    }

    /** Value of a column: Long, Double, String, Boolean, or null where the event has none. */
    Object get(int column) {
        return values[column];
    }

    Optional<String> text(String column) {
        Integer at = byName.get(column);
        return at != null && values[at] instanceof String s ? Optional.of(s) : Optional.empty();
    }

    OptionalLong whole(String column) {
        Integer at = byName.get(column);
        return at != null && values[at] instanceof Long n ? OptionalLong.of(n) : OptionalLong.empty();
    }
}
