package dev.warmroute.export.report;

import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.table.ReuseRow;
import dev.warmroute.export.table.RuleRow;
import dev.warmroute.export.table.SweepRow;
import dev.warmroute.export.table.TableSchema;
import dev.warmroute.export.table.TableWriter;
import dev.warmroute.export.table.ValidationRow;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.PolicyRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

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
        List<Path> files = new ArrayList<>();
        write(files, RuleRow.SCHEMA, rule(), directory);
        write(files, ReuseRow.SCHEMA, reuse(), directory);
        write(files, SweepRow.SCHEMA, sweep(), directory);
        write(files, ValidationRow.SCHEMA, validation(), directory);
        return files;
    }

    private static <R> void write(List<Path> files, TableSchema<R> schema, List<R> rows, Path directory) {
        if (!rows.isEmpty()) {
            files.add(new TableWriter().write(schema, rows, directory));
        }
    }

    public List<RuleRow> rule() {
        return model.capacity().flatMap(CapacityResult::rule).map(RuleRow::of).orElse(List.of());
    }

    public List<ReuseRow> reuse() {
        return model.capacity().flatMap(CapacityResult::reuse).map(ReuseRow::of).orElse(List.of());
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
        OptionalLong cache = scenario.fleet()
                .filter(f -> f.usableBlocks().isPresent())
                .map(f -> OptionalLong.of((long) f.usableBlocks().getAsInt() * f.blockSize()))
                .orElse(OptionalLong.empty());
        return new SweepRow(
                scenario.name(),
                policy.policy(),
                scenario.sessions().isPresent() ? OptionalLong.of(scenario.sessions().getAsInt()) : OptionalLong.empty(),
                cache,
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
