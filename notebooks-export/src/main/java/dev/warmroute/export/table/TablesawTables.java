package dev.warmroute.export.table;

import java.util.List;
import java.util.stream.Collectors;
import tech.tablesaw.api.BooleanColumn;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** Makes Tablesaw tables of rows, all in memory; lists become text joined by semicolons, what is unknown is missing. */
public final class TablesawTables {
    private static final String LIST_SEPARATOR = ";";

    private TablesawTables() {}

    /** Returns rows as a Tablesaw table. */
    public static <R> Table of(TableSchema<R> schema, Iterable<R> rows) {
        Table table = Table.create(schema.name());
        for (Column<R> column : schema.columns()) {
            table.addColumns(
                    switch (column.kind()) {
                        case WHOLE -> wholes(column, rows);
                        case NUMBER -> numbers(column, rows);
                        case FLAG -> flags(column, rows);
                        case TEXT, TEXTS, NUMBERS -> texts(column, rows);
                    });
        }
        return table;
    }

    private static <R> LongColumn wholes(Column<R> column, Iterable<R> rows) {
        LongColumn values = LongColumn.create(column.name());
        for (R row : rows) {
            if (column.value().apply(row) instanceof Long value) {
                values.append(value);
            } else {
                values.appendMissing();
            }
        }
        return values;
    }

    private static <R> DoubleColumn numbers(Column<R> column, Iterable<R> rows) {
        DoubleColumn values = DoubleColumn.create(column.name());
        for (R row : rows) {
            if (column.value().apply(row) instanceof Double value) {
                values.append(value);
            } else {
                values.appendMissing();
            }
        }
        return values;
    }

    private static <R> BooleanColumn flags(Column<R> column, Iterable<R> rows) {
        BooleanColumn values = BooleanColumn.create(column.name());
        for (R row : rows) {
            if (column.value().apply(row) instanceof Boolean value) {
                values.append(value);
            } else {
                values.appendMissing();
            }
        }
        return values;
    }

    private static <R> StringColumn texts(Column<R> column, Iterable<R> rows) {
        StringColumn values = StringColumn.create(column.name());
        for (R row : rows) {
            Object value = column.value().apply(row);
            if (value instanceof List<?> list) {
                values.append(list.stream()
                        .map(v -> v == null ? "" : v.toString())
                        .collect(Collectors.joining(LIST_SEPARATOR)));
            } else if (value == null) {
                values.appendMissing();
            } else {
                values.append(value.toString());
            }
        }
        return values;
    }
}
