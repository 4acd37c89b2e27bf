package dev.warmroute.export.table;

import java.util.List;

/** Every table there is. A new one is a row record with its schema, and its line here. */
public final class Tables {
    private static final List<TableSchema<?>> ALL = List.of(
            TurnRow.SCHEMA,
            DecisionRow.SCHEMA,
            ReplicaSampleRow.SCHEMA,
            ReuseRow.SCHEMA,
            RuleRow.SCHEMA,
            SweepRow.SCHEMA,
            ValidationRow.SCHEMA,
            SessionRow.SCHEMA);

    private Tables() {}

    public static List<TableSchema<?>> all() {
        return ALL;
    }
}
