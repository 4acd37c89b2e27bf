package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Cell.Mark;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.Overflows;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A scenario as tables. */
final class WhatIfTables {
    private static final List<Metric> COMPARED = List.of(
            Metric.HIT_PCT,
            Metric.OUTPUT_TOKENS_PER_MIN,
            Metric.TTFT_P50_S,
            Metric.TTFT_P95_S,
            Metric.SESSION_P50_S,
            Metric.SESSION_P95_S);

    private WhatIfTables() {}

    static DataTable policies(Scenario scenario) {
        String caption = scenario.name().isEmpty() ? "Policies" : "Policies, " + scenario.name();
        DataTable.Builder table = DataTable.captioned(caption).words("Policy");
        for (Metric metric : Metric.values()) {
            table.numbers(metric.label(), metric.unit());
        }
        Ranking ranking = Ranking.of(scenario);
        for (PolicyRow row : scenario.policies()) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.words(row.policy()));
            for (Metric metric : Metric.values()) {
                cells.add(cell(metric, row, ranking, scenario.policies().size()));
            }
            table.row(cells);
        }
        return table.build().withoutEmptyColumns();
    }

    private static Cell cell(Metric metric, PolicyRow row, Ranking ranking, int rows) {
        OptionalDouble value = metric.of(row);
        if (value.isEmpty()) {
            return Cell.of(value, metric.unit());
        }
        Optional<PolicyRow> best = ranking.best(metric);
        List<String> even = best.map(b -> ranking.indistinguishable(metric, b)).orElse(List.of());
        // Where all are equally good, none is.
        boolean mark = best.isPresent() && even.size() < rows - 1 && (best.get() == row || even.contains(row.policy()));
        Optional<Cell.Range> range = COMPARED.contains(metric) ? metric.range(row) : Optional.empty();
        return Cell.of(value.getAsDouble(), metric.unit(), range, mark ? Mark.BEST : Mark.NONE);
    }

    /** All scenarios' changes; scenarios of one baseline, which the caption names. */
    static DataTable changes(String baseline, List<Scenario> scenarios) {
        boolean several = scenarios.size() > 1;
        DataTable.Builder table = DataTable.captioned("Change against " + baseline);
        if (several) {
            table.words("Scenario");
        }
        table.words("Policy");
        for (Metric metric : COMPARED) {
            table.numbers(metric.label(), unit(metric));
        }
        for (Scenario scenario : scenarios) {
            for (Scenario.Change change : scenario.changes()) {
                List<Cell> cells = new ArrayList<>();
                if (several) {
                    cells.add(Cell.words(scenario.name()));
                }
                cells.add(Cell.words(change.policy()));
                for (Metric metric : COMPARED) {
                    Double value = change.byMetric().get(metric.field());
                    cells.add(Cell.of(value == null ? OptionalDouble.empty() : OptionalDouble.of(value), unit(metric)));
                }
                table.row(cells);
            }
        }
        return table.build().withoutEmptyColumns();
    }

    /** What overflows cost, of the policies that had some; empty when none had. */
    static Optional<DataTable> overflows(List<Scenario> scenarios) {
        DataTable.Builder table = DataTable.captioned("Price of overflows, in tokens computed again")
                .words("Policy")
                .numbers("Overflows", Unit.COUNT)
                .numbers("All", Unit.TOKENS)
                .numbers("Median of one", Unit.TOKENS)
                .numbers("95th percentile", Unit.TOKENS)
                .numbers("Most", Unit.TOKENS);
        boolean any = false;
        for (Scenario scenario : scenarios) {
            for (PolicyRow row : scenario.policies()) {
                Optional<Overflows> overflows = row.overflows().filter(o -> o.count() > 0);
                if (overflows.isPresent()) {
                    Overflows o = overflows.get();
                    any = true;
                    table.row(
                            Cell.words(
                                    scenario.name().isEmpty() ? row.policy() : scenario.name() + ", " + row.policy()),
                            Cell.of(o.count(), Unit.COUNT),
                            Cell.of(o.reprefilledTokens(), Unit.TOKENS),
                            Cell.of(o.p50Tokens(), Unit.TOKENS),
                            Cell.of(o.p95Tokens(), Unit.TOKENS),
                            Cell.of(o.maxTokens(), Unit.TOKENS));
                }
            }
        }
        return any ? Optional.of(table.build()) : Optional.empty();
    }

    private static Unit unit(Metric metric) {
        return metric.unit() == Unit.PERCENT ? Unit.POINTS : Unit.CHANGE;
    }
}
