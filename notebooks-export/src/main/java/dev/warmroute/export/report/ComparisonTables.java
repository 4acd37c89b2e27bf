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
            tables.add(ranking(named("Which policy is best", scenario), c));
        });
        groups(named("Prefix hit by replica", scenario), scenario.policies(), PolicyRow::byReplica).ifPresent(tables::add);
        groups(named("Prefix hit by turn", scenario), scenario.policies(), PolicyRow::byTurn).ifPresent(tables::add);
        return tables;
    }

    private static String named(String caption, Scenario scenario) {
        return scenario.name().isEmpty() ? caption : caption + ", " + scenario.name();
    }

    private static DataTable differences(String caption, PolicyComparison comparison) {
        DataTable.Builder table = DataTable.captioned(caption)
                .words("Policy")
                .words("Figure")
                .words("Difference")
                .words("95 % interval")
                .words("Told apart");
        for (Against against : comparison.against()) {
            for (Metric metric : Metric.values()) {
                Difference d = against.differences().get(metric.field());
                if (d != null) {
                    Unit unit = metric.unit() == Unit.PERCENT ? Unit.POINTS : metric.unit();
                    table.row(
                            Cell.words(against.policy()),
                            Cell.words(metric.label()),
                            Cell.words(unit.text(d.difference())),
                            d.interval()
                                    .map(i -> Cell.words(unit.digits(i.low()) + " to " + unit.text(i.high())))
                                    .orElse(ONE_UNIT),
                            Cell.words(d.certain() ? "yes" : "no"));
                }
            }
        }
        return table.build();
    }

    private static DataTable ranking(String caption, PolicyComparison comparison) {
        DataTable.Builder table = DataTable.captioned(caption)
                .words("By")
                .words("Policy")
                .numbers("Best in", Unit.PERCENT)
                .words("Value")
                .words("Regret");
        for (PolicyComparison.Ranking ranking : comparison.ranking()) {
            Optional<Metric> metric = metric(ranking.figure());
            for (Standing s : ranking.standings()) {
                metric.ifPresent(m -> table.row(
                        Cell.words(m.label()),
                        Cell.words(s.policy()),
                        s.bestPct().isPresent() ? Cell.of(s.bestPct(), Unit.PERCENT) : ONE_UNIT,
                        Cell.words(m.unit().text(s.value())),
                        s.regret().isPresent()
                                ? Cell.words(m.unit().text(s.regret().getAsDouble()))
                                : ONE_UNIT));
            }
        }
        return table.build();
    }

    private static Optional<Metric> metric(String field) {
        for (Metric metric : Metric.values()) {
            if (metric.field().equals(field)) {
                return Optional.of(metric);
            }
        }
        return Optional.empty();
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
        Optional<Cell.Range> range =
                Optional.ofNullable(interval).map(i -> new Cell.Range(i.low(), i.high()));
        return Cell.of(group.hitPct().orElseThrow(), Unit.PERCENT, range, Cell.Mark.NONE);
    }
}
