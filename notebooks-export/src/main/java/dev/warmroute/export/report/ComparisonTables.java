package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.GroupRow;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.compare.PolicyComparison;
import dev.warmroute.simulator.compare.PolicyComparison.Against;
import dev.warmroute.simulator.compare.PolicyComparison.Difference;
import dev.warmroute.simulator.compare.PolicyComparison.Standing;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** How a scenario's policies stand to each other, and where their figures come from, as tables. */
final class ComparisonTables {
    private static final Cell ONE_UNIT = new Cell.Missing("a single session or seed has it");

    private ComparisonTables() {}

    /** All tables of a scenario; those without data are left out. */
    static List<DataTable> of(Scenario scenario) {
        List<DataTable> tables = new ArrayList<>();
        scenario.comparison().ifPresent(c -> {
            tables.add(differences(named("Paired differences against " + c.baseline(), scenario), c));
            tables.add(standings(
                    named("How often each policy is best", scenario),
                    scenario.policies(),
                    c,
                    m -> Unit.PERCENT,
                    Standing::bestPct));
            tables.add(standings(
                    named("Regret", scenario), scenario.policies(), c, ComparisonTables::differs, Standing::regret));
        });
        groups(named("Prefix hit by replica", scenario), scenario.policies(), PolicyRow::byReplica)
                .ifPresent(tables::add);
        groups(named("Prefix hit by turn", scenario), scenario.policies(), PolicyRow::byTurn)
                .ifPresent(tables::add);
        return tables;
    }

    private static String named(String caption, Scenario scenario) {
        return scenario.name().isEmpty() ? caption : caption + ", " + scenario.name();
    }

    private static DataTable differences(String caption, PolicyComparison comparison) {
        DataTable.Builder table = DataTable.captioned(caption).words("Policy");
        for (Metric metric : Metric.values()) {
            table.numbers(metric.label(), differs(metric));
        }
        for (Against against : comparison.against()) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.words(against.policy()));
            for (Metric metric : Metric.values()) {
                Difference d = against.differences().get(metric.field());
                cells.add(
                        d == null
                                ? new Cell.Missing("not known")
                                : Cell.of(
                                        d.difference(),
                                        differs(metric),
                                        d.interval().map(i -> new Cell.Range(i.low(), i.high())),
                                        d.certain() ? Cell.Mark.BEST : Cell.Mark.NONE));
            }
            table.row(cells);
        }
        return table.build().withoutEmptyColumns();
    }

    private static Unit differs(Metric metric) {
        return metric.unit() == Unit.PERCENT ? Unit.POINTS : metric.unit();
    }

    /** Of each figure of which one value is better than another, something about where each policy stands. */
    private static DataTable standings(
            String caption,
            List<PolicyRow> rows,
            PolicyComparison comparison,
            Function<Metric, Unit> unit,
            Function<Standing, OptionalDouble> value) {
        DataTable.Builder table = DataTable.captioned(caption).words("Policy");
        for (Metric metric : Metric.values()) {
            table.numbers(metric.label(), unit.apply(metric));
        }
        for (PolicyRow row : rows) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.words(row.policy()));
            for (Metric metric : Metric.values()) {
                OptionalDouble known =
                        standing(comparison, metric, row.policy()).map(value).orElse(OptionalDouble.empty());
                cells.add(known.isPresent() ? Cell.of(known, unit.apply(metric)) : ONE_UNIT);
            }
            table.row(cells);
        }
        return table.build().withoutEmptyColumns();
    }

    private static Optional<Standing> standing(PolicyComparison comparison, Metric metric, String policy) {
        return comparison.ranking().stream()
                .filter(r -> r.figure().equals(metric.field()))
                .flatMap(r -> r.standings().stream())
                .filter(s -> s.policy().equals(policy))
                .findFirst();
    }

    private static Optional<DataTable> groups(
            String caption, List<PolicyRow> rows, Function<PolicyRow, List<GroupRow>> groups) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(r -> groups.apply(r).forEach(g -> names.add(g.name())));
        if (names.size() < 2) {
            return Optional.empty();
        }
        DataTable.Builder table = DataTable.captioned(caption).words("Policy");
        names.forEach(n -> table.numbers(n, Unit.PERCENT));
        for (PolicyRow row : rows) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.words(row.policy()));
            for (String name : names) {
                cells.add(groups.apply(row).stream()
                        .filter(g -> g.name().equals(name) && g.hitPct().isPresent())
                        .findFirst()
                        .map(ComparisonTables::hit)
                        .orElse(new Cell.Missing("no such requests")));
            }
            table.row(cells);
        }
        return Optional.of(table.build());
    }

    private static Cell hit(GroupRow group) {
        Interval interval = group.interval().get(Metric.HIT_PCT.field());
        Optional<Cell.Range> range = Optional.ofNullable(interval).map(i -> new Cell.Range(i.low(), i.high()));
        return Cell.of(group.hitPct().orElseThrow(), Unit.PERCENT, range, Cell.Mark.NONE);
    }
}
