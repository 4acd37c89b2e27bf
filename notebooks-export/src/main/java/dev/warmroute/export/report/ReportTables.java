package dev.warmroute.export.report;

import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.table.ReuseRow;
import dev.warmroute.export.table.RuleRow;
import dev.warmroute.export.table.SweepRow;
import dev.warmroute.export.table.TableFormat;
import dev.warmroute.export.table.TableSet;
import dev.warmroute.export.table.ValidationRow;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.compare.PolicyRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A report's figures as tables for notebooks: {@code rule}, {@code mrc}, {@code sweep} and {@code validation}. */
public final class ReportTables {
    private final ReportModel model;

    public ReportTables(ReportModel model) {
        this.model = model;
    }

    /**
     * Writes the tables that have rows, as Parquet and CSV.
     *
     * @return the Parquet files
     */
    public List<Path> write(Path directory) {
        try (TableSet tables = new TableSet(directory, EnumSet.allOf(TableFormat.class))) {
            write(tables);
            return tables.finish().stream()
                    .map(t -> t.files().get(TableFormat.PARQUET.ordinal()))
                    .toList();
        }
    }

    private void write(TableSet tables) {
        write(tables, List.of());
    }

    /**
     * Adds the tables to others.
     *
     * @param more rows of {@code mrc} that the report does not have
     */
    public void write(TableSet tables, List<ReuseRow> more) {
        tables.write(RuleRow.SCHEMA, rule());
        tables.write(
                ReuseRow.SCHEMA, Stream.concat(reuse().stream(), more.stream()).toList());
        tables.write(SweepRow.SCHEMA, sweep());
        tables.write(ValidationRow.SCHEMA, validation());
    }

    public List<RuleRow> rule() {
        return model.capacity().flatMap(CapacityResult::rule).map(RuleRow::of).orElse(List.of());
    }

    /** The curve, then what was simulated with all replicas' caches together of a size that is on it. */
    public List<ReuseRow> reuse() {
        Optional<ReuseCurve> curve = model.capacity().flatMap(CapacityResult::reuse);
        List<ReuseRow> rows = new ArrayList<>(curve.map(ReuseRow::of).orElse(List.of()));
        for (Scenario scenario : model.scenarios()) {
            OptionalLong cache = cacheTokens(scenario);
            if (curve.isPresent() && cache.isPresent()) {
                long size = cache.getAsLong() * scenario.fleet().orElseThrow().replicas();
                curve.get().curve().stream()
                        .filter(p -> p.capacityTokens() == size)
                        .findFirst()
                        .ifPresent(p -> scenario.policies().forEach(row -> rows.add(simulated(p, row))));
            }
        }
        return rows;
    }

    private static ReuseRow simulated(ReuseCurve.Point point, PolicyRow row) {
        return new ReuseRow(
                "",
                row.policy(),
                point.capacityTokens(),
                point.hitPct(),
                row.hitPct(),
                end(Metric.HIT_PCT.range(row).map(r -> r.low())),
                end(Metric.HIT_PCT.range(row).map(r -> r.high())));
    }

    private static OptionalLong cacheTokens(Scenario scenario) {
        return scenario.fleet()
                .filter(f -> f.usableBlocks().isPresent())
                .map(f -> OptionalLong.of((long) f.usableBlocks().getAsInt() * f.blockSize()))
                .orElse(OptionalLong.empty());
    }

    public List<SweepRow> sweep() {
        List<SweepRow> rows = new ArrayList<>();
        for (Scenario scenario : model.scenarios()) {
            for (PolicyRow policy : scenario.policies()) {
                for (Metric metric : Metric.values()) {
                    metric.of(policy).ifPresent(value -> rows.add(sweep(scenario, policy, metric, value)));
                }
            }
        }
        return rows;
    }

    private static SweepRow sweep(Scenario scenario, PolicyRow policy, Metric metric, double value) {
        return new SweepRow(
                scenario.name(),
                policy.policy(),
                scenario.sessions().isPresent()
                        ? OptionalLong.of(scenario.sessions().getAsInt())
                        : OptionalLong.empty(),
                cacheTokens(scenario),
                metric.field(),
                value,
                end(metric.range(policy).map(r -> r.low())),
                end(metric.range(policy).map(r -> r.high())),
                scenario.fleet().map(f -> OptionalLong.of(f.seeds())).orElse(OptionalLong.empty()));
    }

    private static OptionalDouble end(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    public List<ValidationRow> validation() {
        List<ValidationRow> rows = new ArrayList<>();
        for (Comparison comparison : model.comparisons()) {
            for (Comparison.Line l : comparison.lines()) {
                rows.add(new ValidationRow(
                        comparison.name(),
                        comparison.policy(),
                        l.metric(),
                        l.measured(),
                        l.predicted(),
                        l.error(),
                        l.errorPct(),
                        l.inInterval()));
            }
        }
        return rows;
    }
}
