package dev.warmroute.export.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A table for people: the first column names the row.
 *
 * @param caption what it shows, and where it comes from
 */
public record DataTable(String caption, List<Column> columns, List<List<Cell>> rows) {
    public DataTable {
        Objects.requireNonNull(caption, "caption");
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        caption + ": a row of " + row.size() + " cells under " + columns.size() + " columns");
            }
        }
    }

    public static Builder captioned(String caption) {
        return new Builder(caption);
    }

    /** Returns the table without the columns of numbers in which nothing is known. */
    public DataTable withoutEmptyColumns() {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            if (rows.isEmpty() || !rows.stream().allMatch(r -> r.get(column) instanceof Cell.Missing)) {
                kept.add(i);
            }
        }
        return new DataTable(
                caption,
                kept.stream().map(columns::get).toList(),
                rows.stream().map(r -> kept.stream().map(r::get).toList()).toList());
    }

    /**
     * Head of a column.
     *
     * @param unit unit of its numbers; empty for words and plain counts
     */
    public record Column(String name, String unit, boolean numeric) {
        public Column {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(unit, "unit");
        }

        public static Column words(String name) {
            return new Column(name, "", false);
        }

        public static Column of(String name, Unit unit) {
            return new Column(name, unit.symbol(), true);
        }

        /** Name with the unit behind a comma. */
        public String head() {
            return unit.isEmpty() ? name : name + ", " + unit;
        }
    }

    /** Collects columns, then rows. */
    public static final class Builder {
        private final String caption;
        private final List<Column> columns = new ArrayList<>();
        private final List<List<Cell>> rows = new ArrayList<>();

        private Builder(String caption) {
            this.caption = caption;
        }

        public Builder words(String name) {
            columns.add(Column.words(name));
            return this;
        }

        public Builder numbers(String name, Unit unit) {
            columns.add(Column.of(name, unit));
            return this;
        }

        public Builder row(Cell... cells) {
            return row(List.of(cells));
        }

        public Builder row(List<Cell> cells) {
            rows.add(cells);
            return this;
        }

        public DataTable build() {
            return new DataTable(caption, columns, rows);
        }
    }
}
