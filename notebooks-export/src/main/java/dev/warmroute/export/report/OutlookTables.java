package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.capacity.Advice;
import dev.warmroute.simulator.capacity.LimitBound;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What limits, and what would move it, as tables. */
final class OutlookTables {
    private OutlookTables() {}

    static DataTable limits(List<LimitBound> limits) {
        DataTable.Builder table = DataTable.captioned("How many sessions each resource would serve by itself")
                .words("Resource")
                .numbers("Sessions", Unit.COUNT)
                .words("Because");
        limits.forEach(l -> table.row(
                Cell.words(l.limit().wireName()), Cell.of(l.sessions(), Unit.COUNT), Cell.words(l.because())));
        return table.build();
    }

    static DataTable advice(List<Advice> advice) {
        DataTable.Builder table = DataTable.captioned("What would move it")
                .words("Change")
                .words("By the rule")
                .numbers("Fit, p95", Unit.COUNT)
                .numbers("Fit, mean", Unit.COUNT)
                .numbers("Gained", Unit.COUNT_LEFT)
                .numbers("Kept, simulated", Unit.COUNT)
                .numbers("Gained, simulated", Unit.COUNT_LEFT)
                .numbers("Sessions simulated", Unit.COUNT)
                .numbers("Prefix hit", Unit.PERCENT)
                .numbers("Output", Unit.TOKENS_PER_MINUTE)
                .numbers("TTFT p95", Unit.SECONDS);
        for (Advice a : advice) {
            table.row(
                    Cell.words(a.detail().isEmpty() ? a.change() : a.detail()),
                    Cell.words(Level.of(a.rule()).words()),
                    Cell.of(a.sessionsFit().low(), Unit.COUNT),
                    Cell.of(a.sessionsFit().high(), Unit.COUNT),
                    Cell.of(a.sessionsGained(), Unit.COUNT_LEFT),
                    Cell.of(widen(a.sessionsKept()), a.orMore() ? Unit.COUNT_OR_MORE : Unit.COUNT),
                    Cell.of(widen(a.keptGained()), a.orMore() ? Unit.COUNT_LEFT_OR_MORE : Unit.COUNT_LEFT),
                    Cell.of(widen(a.simulated().sessions()), Unit.COUNT),
                    Cell.of(a.simulated().hitPct(), Unit.PERCENT),
                    Cell.of(a.simulated().outputTokensPerMin(), Unit.TOKENS_PER_MINUTE),
                    Cell.of(a.simulated().ttftP95S(), Unit.SECONDS));
        }
        return table.build().withoutEmptyColumns();
    }

    private static OptionalDouble widen(OptionalInt value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsInt()) : OptionalDouble.empty();
    }
}
