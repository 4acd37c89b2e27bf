package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import dev.warmroute.simulator.capacity.ReuseCurve;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A point of a reuse-distance curve, with the simulated hit ratio at the same capacity where there is one.
 *
 * @param replica replica whose requests the curve is of; empty for all requests together
 * @param policy policy that routed them; empty when the curve does not depend on one
 * @param capacityTokens size of the cache
 * @param hitPct hits that one LRU cache of this size would have had, in percent of the prompt tokens
 */
public record ReuseRow(
        String replica,
        String policy,
        long capacityTokens,
        double hitPct,
        OptionalDouble simulatedHitPct,
        OptionalDouble low,
        OptionalDouble high) {

    public static final TableSchema<ReuseRow> SCHEMA = TableSchema.named(
                    "mrc", "a point of a reuse-distance curve", ReuseRow.class)
            .text("replica", "replica whose requests it is of; empty for all together", ReuseRow::replica)
            .text("policy", "policy that routed them; empty where it does not matter", ReuseRow::policy)
            .whole("capacity_tok", Unit.TOKENS, "size of the cache", ReuseRow::capacityTokens)
            .number(
                    "hit_mrc",
                    Unit.PERCENT,
                    "prompt tokens that one LRU cache of this size would have held",
                    ReuseRow::hitPct)
            .maybeNumber(
                    "hit_des",
                    Unit.PERCENT,
                    "prompt tokens found in simulated caches of this size together",
                    ReuseRow::simulatedHitPct)
            .maybeNumber("ci_lo", Unit.PERCENT, "low end of the interval of hit_des", ReuseRow::low)
            .maybeNumber("ci_hi", Unit.PERCENT, "high end of it", ReuseRow::high)
            .build();

    public static List<ReuseRow> of(ReuseCurve curve) {
        return curve.curve().stream()
                .map(p -> new ReuseRow(
                        "",
                        "",
                        p.capacityTokens(),
                        p.hitPct(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty()))
                .toList();
    }
}
