package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Metric.Better;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which policy is best by a metric, and which others cannot be told apart from it. */
final class Ranking {
    private Ranking() {}

    /** The best row that has the metric; empty when none has it or neither way is better. */
    static Optional<PolicyRow> best(Metric metric, List<PolicyRow> rows) {
        Comparator<PolicyRow> byValue = Comparator.comparingDouble(r -> metric.of(r).getAsDouble());
        return metric.better() == Better.NEITHER
                ? Optional.empty()
                : rows.stream()
                        .filter(r -> metric.of(r).isPresent())
                        .min(metric.better() == Better.HIGHER ? byValue.reversed() : byValue);
    }

    /** Policies whose interval overlaps that of the best; without intervals, those with the same value. */
    static List<String> indistinguishable(Metric metric, List<PolicyRow> rows, PolicyRow best) {
        return rows.stream()
                .filter(r -> r != best && metric.of(r).isPresent() && even(metric, r, best))
                .map(PolicyRow::policy)
                .toList();
    }

    private static boolean even(Metric metric, PolicyRow row, PolicyRow best) {
        double value = metric.of(row).getAsDouble(), top = metric.of(best).getAsDouble();
        Cell.Range own = metric.range(row).orElse(new Cell.Range(value, value));
        return own.overlaps(metric.range(best).orElse(new Cell.Range(top, top)));
    }
}
