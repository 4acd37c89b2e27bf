package dev.warmroute.export.table;

import java.util.Objects;
import java.util.function.Function;

/**
 * A column of a {@link TableSchema}.
 *
 * @param name snake case
 * @param meaning what it holds, with its unit
 * @param value value of a row, of the kind's type; null where nothing is known
 */
public record Column<R>(String name, Kind kind, String meaning, Function<R, Object> value) {
    public Column {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(value, "value");
    }

    /** What a column holds. */
    public enum Kind {
        /** {@link String}. */
        TEXT,
        /** {@link Long}. */
        WHOLE,
        /** {@link Double}. */
        NUMBER,
        /** {@link Boolean}. */
        FLAG,
        /** List of strings; in CSV joined by semicolons. */
        TEXTS,
        /** List of doubles, null where one is not known; in CSV joined by semicolons. */
        NUMBERS
    }
}
