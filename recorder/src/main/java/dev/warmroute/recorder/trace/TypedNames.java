package dev.warmroute.recorder.trace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Positions of a topic's typed columns by name. */
final class TypedNames {
    private final Map<String, Integer> positions = new HashMap<>();

    TypedNames(List<EventColumn> columns) {
        for (int i = 0; i < columns.size(); i++) {
            positions.put(columns.get(i).name(), i);
        }
    }

    int size() {
        return positions.size();
    }

    /** Position of a column; -1 when the topic has none of that name. */
    int position(String name) {
        return positions.getOrDefault(name, -1);
    }
}
