package dev.warmroute.export.table;

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
            .whole("capacity_tok", "size of the cache, tokens", ReuseRow::capacityTokens)
            .number("hit_mrc", "hits of one LRU cache of this size, percent", ReuseRow::hitPct)
            .maybeNumber("hit_des", "simulated hits, percent", ReuseRow::simulatedHitPct)
            .maybeNumber("ci_lo", "low end of its interval", ReuseRow::low)
            .maybeNumber("ci_hi", "high end of its interval", ReuseRow::high)
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
