package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One metric of one policy in one scenario.
 *
 * @param scenario name of the scenario
 * @param sessions concurrent sessions, where the scenario says
 * @param capacityTokens cache of one replica; empty without a limit
 * @param metric field name as in the JSON of what-if
 * @param mean mean over the seeds
 */
public record SweepRow(
        String scenario,
        String policy,
        OptionalLong sessions,
        OptionalLong capacityTokens,
        String metric,
        double mean,
        OptionalDouble low,
        OptionalDouble high,
        OptionalLong seeds) {

    public static final TableSchema<SweepRow> SCHEMA = TableSchema.named(
                    "sweep", "one metric of one policy in one scenario", SweepRow.class)
            .text("scenario", "name of the scenario", SweepRow::scenario)
            .text("policy", "routing policy", SweepRow::policy)
            .maybeWhole("N", "concurrent sessions", SweepRow::sessions)
            .maybeWhole("C", Unit.TOKENS, "cache of one replica", SweepRow::capacityTokens)
            .text("metric", "field name as in the JSON of whatif, where its unit is", SweepRow::metric)
            .number("mean", "mean over the seeds", SweepRow::mean)
            .maybeNumber("lo", "low end of the interval", SweepRow::low)
            .maybeNumber("hi", "high end of the interval", SweepRow::high)
            .maybeWhole("n_seeds", "runs behind it", SweepRow::seeds)
            .build();
}
