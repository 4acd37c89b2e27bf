package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Metric.Better;
import dev.warmroute.simulator.compare.PolicyComparison;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which policy is best by a metric, and which others cannot be told apart from it. Two are told apart by the interval of their
 * paired difference where there is one, else by intervals that do not overlap. A figure without an interval has a spread that
 * nobody knows: it is told apart from none.
 */
final class Ranking {
    private final List<PolicyRow> rows;
    private final Optional<PolicyComparison> comparison;

    Ranking(List<PolicyRow> rows, Optional<PolicyComparison> comparison) {
        this.rows = rows;
        this.comparison = comparison;
    }

    static Ranking of(Scenario scenario) {
        return new Ranking(scenario.policies(), scenario.comparison());
    }

    /** The best row that has the metric; empty when none has it or neither way is better. */
    Optional<PolicyRow> best(Metric metric) {
        return best(metric, rows);
    }

    private static Optional<PolicyRow> best(Metric metric, List<PolicyRow> rows) {
        Comparator<PolicyRow> byValue =
                Comparator.comparingDouble(r -> metric.of(r).getAsDouble());
        return metric.better() == Better.NEITHER
                ? Optional.empty()
                : rows.stream()
                        .filter(r -> metric.of(r).isPresent())
                        .min(metric.better() == Better.HIGHER ? byValue.reversed() : byValue);
    }

    /** Policies that cannot be told apart from a row. */
    List<String> indistinguishable(Metric metric, PolicyRow from) {
        return rows.stream()
                .filter(r -> r != from && metric.of(r).isPresent() && !toldApart(metric, r, from))
                .map(PolicyRow::policy)
                .toList();
    }

    /** Whether a row is worse than another one, and told apart from it. */
    boolean worse(Metric metric, PolicyRow row, PolicyRow than) {
        return metric.of(row).isPresent()
                && metric.of(than).isPresent()
                && best(metric, List.of(than, row)).filter(r -> r == than).isPresent()
                && toldApart(metric, row, than);
    }

    private boolean toldApart(Metric metric, PolicyRow a, PolicyRow b) {
        Optional<PolicyComparison.Difference> paired = paired(metric, a, b);
        if (paired.flatMap(PolicyComparison.Difference::interval).isPresent()) {
            return paired.get().certain();
        }
        Optional<Cell.Range> own = metric.range(a), other = metric.range(b);
        return own.isPresent() && other.isPresent() && !own.get().overlaps(other.get());
    }

    private Optional<PolicyComparison.Difference> paired(Metric metric, PolicyRow a, PolicyRow b) {
        if (comparison.isEmpty()) {
            return Optional.empty();
        }
        String baseline = comparison.get().baseline();
        Optional<PolicyRow> other = baseline.equals(a.policy())
                ? Optional.of(b)
                : baseline.equals(b.policy()) ? Optional.of(a) : Optional.empty();
        return other.flatMap(o -> comparison.get().against().stream()
                .filter(against -> against.policy().equals(o.policy()))
                .map(against -> against.differences().get(metric.field()))
                .filter(d -> d != null)
                .findFirst());
    }
}
