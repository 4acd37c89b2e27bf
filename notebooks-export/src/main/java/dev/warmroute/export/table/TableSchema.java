package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Kind;
import dev.warmroute.export.table.Column.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Name and columns of a table, and how a row record fills them. The first column of every table is {@code schema_version}.
 *
 * @param name name of the files, without extension
 * @param meaning what a row is
 * @param rowType class of the rows
 */
public record TableSchema<R>(String name, String meaning, Class<R> rowType, List<Column<R>> columns) {
    /** Version of all tables; columns are only ever added within a version. */
    public static final long VERSION = 1;

    public TableSchema {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(rowType, "rowType");
        columns = List.copyOf(columns);
        if (columns.stream().map(Column::name).distinct().count() != columns.size()) {
            throw new IllegalArgumentException("two columns of " + name + " have the same name");
        }
    }

    public static <R> Builder<R> named(String name, String meaning, Class<R> rowType) {
        return new Builder<>(name, meaning, rowType);
    }

    /** Collects columns in order. */
    public static final class Builder<R> {
        private final String name;
        private final String meaning;
        private final Class<R> rowType;
        private final List<Column<R>> columns = new ArrayList<>();

        private Builder(String name, String meaning, Class<R> rowType) {
            this.name = name;
            this.meaning = meaning;
            this.rowType = rowType;
            whole("schema_version", "version of this table's columns", r -> VERSION);
        }

        public Builder<R> text(String column, String means, Function<R, String> value) {
            return add(column, Kind.TEXT, Unit.NONE, means, value::apply);
        }

        public Builder<R> maybeText(String column, String means, Function<R, Optional<String>> value) {
            return add(column, Kind.TEXT, Unit.NONE, means, r -> value.apply(r).orElse(null));
        }

        public Builder<R> whole(String column, Unit unit, String means, ToLongFunction<R> value) {
            return add(column, Kind.WHOLE, unit, means, value::applyAsLong);
        }

        public Builder<R> maybeWhole(String column, Unit unit, String means, Function<R, OptionalLong> value) {
            return add(column, Kind.WHOLE, unit, means, r -> {
                OptionalLong v = value.apply(r);
                return v.isPresent() ? v.getAsLong() : null;
            });
        }

        public Builder<R> number(String column, Unit unit, String means, ToDoubleFunction<R> value) {
            return add(column, Kind.NUMBER, unit, means, value::applyAsDouble);
        }

        public Builder<R> maybeNumber(String column, Unit unit, String means, Function<R, OptionalDouble> value) {
            return add(column, Kind.NUMBER, unit, means, r -> {
                OptionalDouble v = value.apply(r);
                return v.isPresent() ? v.getAsDouble() : null;
            });
        }

        public Builder<R> whole(String column, String means, ToLongFunction<R> value) {
            return whole(column, Unit.NONE, means, value);
        }

        public Builder<R> maybeWhole(String column, String means, Function<R, OptionalLong> value) {
            return maybeWhole(column, Unit.NONE, means, value);
        }

        public Builder<R> number(String column, String means, ToDoubleFunction<R> value) {
            return number(column, Unit.NONE, means, value);
        }

        public Builder<R> maybeNumber(String column, String means, Function<R, OptionalDouble> value) {
            return maybeNumber(column, Unit.NONE, means, value);
        }

        public Builder<R> numbers(String column, String means, Function<R, List<OptionalDouble>> value) {
            return numbers(column, Unit.NONE, means, value);
        }

        public Builder<R> flag(String column, String means, Predicate<R> value) {
            return add(column, Kind.FLAG, Unit.NONE, means, value::test);
        }

        public Builder<R> maybeFlag(String column, String means, Function<R, Optional<Boolean>> value) {
            return add(column, Kind.FLAG, Unit.NONE, means, r -> value.apply(r).orElse(null));
        }

        public Builder<R> texts(String column, String means, Function<R, List<String>> value) {
            return add(column, Kind.TEXTS, Unit.NONE, means, value::apply);
        }

        public Builder<R> numbers(String column, Unit unit, String means, Function<R, List<OptionalDouble>> value) {
            return add(column, Kind.NUMBERS, unit, means, r -> {
                List<Double> values = new ArrayList<>();
                value.apply(r).forEach(v -> values.add(v.isPresent() ? v.getAsDouble() : null));
                return values;
            });
        }

        private Builder<R> add(String column, Kind kind, Unit unit, String means, Function<R, Object> value) {
            columns.add(new Column<>(column, kind, unit, means, value));
            return this;
        }

        public TableSchema<R> build() {
            return new TableSchema<>(name, meaning, rowType, columns);
        }
    }
}
