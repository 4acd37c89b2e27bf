package dev.warmroute.export.table;

import java.util.Objects;
import java.util.function.Function;

/**
 * A column of a {@link TableSchema}.
 *
 * @param name snake case, or the symbol that the modelling notes use
 * @param unit what its numbers count; {@link Unit#NONE} for anything else
 * @param meaning what it holds
 * @param value value of a row, of the kind's type; null where nothing is known
 */
public record Column<R>(String name, Kind kind, Unit unit, String meaning, Function<R, Object> value) {
    public Column {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(unit, "unit");
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

    /** What the numbers of a column count. */
    public enum Unit {
        /** Nothing in particular: a count, an index, words. */
        NONE(""),
        SECONDS("s"),
        MILLISECONDS("ms"),
        TOKENS("tokens"),
        BLOCKS("blocks"),
        PERCENT("%"),
        /** A share: 1 is all. */
        FRACTION("fraction");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }
    }
}
