package dev.warmroute.recorder.format;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The names of a file's columns; case does not matter. */
final class CsvHeader {
    private final List<String> names;
    private final Map<String, Integer> positions = new HashMap<>();

    CsvHeader(List<String> names) {
        this.names = List.copyOf(names);
        for (int i = 0; i < names.size(); i++) {
            positions.putIfAbsent(names.get(i).toLowerCase(Locale.ROOT), i);
        }
    }

    List<String> names() {
        return names;
    }

    boolean has(String name) {
        return positions.containsKey(name.toLowerCase(Locale.ROOT));
    }

    /** Position of a column; -1 when there is none. */
    int position(String name) {
        return positions.getOrDefault(name.toLowerCase(Locale.ROOT), -1);
    }
}
