package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A predicted metric beside the measured one.
 *
 * @param cell what was run
 * @param metric field name as in the JSON of what-if
 * @param error predicted minus measured, in the metric's unit
 * @param errorPct the same in percent of the measured value; empty for percentages
 * @param inInterval whether the measured value lies in the prediction's interval; empty without one
 */
public record ValidationRow(
        String cell,
        String policy,
        String metric,
        double measured,
        double predicted,
        double error,
        OptionalDouble errorPct,
        Optional<Boolean> inInterval) {

    public static final TableSchema<ValidationRow> SCHEMA = TableSchema.named(
                    "validation", "a predicted metric beside the measured one", ValidationRow.class)
            .text("cell", "what was run", ValidationRow::cell)
            .text("policy", "routing policy", ValidationRow::policy)
            .text("metric", "field name as in the JSON of whatif, where its unit is", ValidationRow::metric)
            .number("measured", "measured value", ValidationRow::measured)
            .number("sim", "predicted value", ValidationRow::predicted)
            .number("err", "predicted minus measured; points for percentages", ValidationRow::error)
            .maybeNumber("err_pct", Unit.PERCENT, "the same, of the measured value", ValidationRow::errorPct)
            .maybeFlag(
                    "in_pi", "whether the measured value lies in the prediction's interval", ValidationRow::inInterval)
            .build();
}
