package dev.warmroute.export.report;

import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.PolicyComparison;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One what-if: the same requests under several policies.
 *
 * @param name what distinguishes it from the report's other scenarios
 * @param sessions concurrent sessions, where that is what distinguishes it
 * @param baseline policy that the others are held against; one of the rows'
 * @param changes of the other policies against it
 * @param comparison paired, where the simulation made one
 * @param selfReplay the recording replayed as it was; empty for other traces
 * @param notes what a reader should know of how it was replayed, and of what no cache would mend
 */
public record Scenario(
        String name,
        OptionalInt sessions,
        TraceSummary trace,
        Optional<FleetSummary> fleet,
        String intervals,
        String baseline,
        List<PolicyRow> policies,
        List<Change> changes,
        Optional<PolicyComparison> comparison,
        Optional<SelfReplay> selfReplay,
        List<String> notes) {
    public Scenario {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(fleet, "fleet");
        Objects.requireNonNull(intervals, "intervals");
        Objects.requireNonNull(baseline, "baseline");
        policies = List.copyOf(policies);
        changes = List.copyOf(changes);
        Objects.requireNonNull(comparison, "comparison");
        Objects.requireNonNull(selfReplay, "selfReplay");
        notes = List.copyOf(notes);
    }

    /**
     * How a policy differs from the baseline.
     *
     * @param byMetric by field name: points for percentages, percent of the baseline for everything else
     */
    public record Change(String policy, SortedMap<String, Double> byMetric) {}

    /**
     * Makes a scenario of a result.
     *
     * @param baseline policy to hold the others against; the first one when it is not among them
     */
    static Scenario of(String name, OptionalInt sessions, WhatIfResult result, String baseline) {
        if (result.policies().isEmpty()) {
            throw new IllegalArgumentException(name + ": a what-if without a policy");
        }
        PolicyRow base = result.row(baseline).orElse(result.policies().get(0));
        List<Change> changes = new ArrayList<>();
        for (PolicyRow row : result.policies()) {
            if (row != base) {
                changes.add(new Change(row.policy(), changes(base, row)));
            }
        }
        List<String> notes = new ArrayList<>(result.notes());
        result.fleet().ifPresent(f -> notes.addAll(f.warnings()));
        return new Scenario(
                name,
                sessions,
                result.trace(),
                result.fleet(),
                result.intervals(),
                base.policy(),
                result.policies(),
                changes,
                result.comparison(),
                result.selfReplay(),
                notes);
    }

    private static SortedMap<String, Double> changes(PolicyRow base, PolicyRow row) {
        SortedMap<String, Double> changes = new TreeMap<>();
        for (Metric metric : Metric.values()) {
            if (metric.of(base).isPresent() && metric.of(row).isPresent()) {
                double from = metric.of(base).getAsDouble(), to = metric.of(row).getAsDouble();
                if (metric.unit() == Unit.PERCENT) {
                    changes.put(metric.field(), to - from);
                } else if (from > 0) {
                    changes.put(metric.field(), 100 * (to - from) / from);
                }
            }
        }
        return changes;
    }

    PolicyRow base() {
        return policies.stream()
                .filter(r -> r.policy().equals(baseline))
                .findFirst()
                .orElseThrow();
    }
}
