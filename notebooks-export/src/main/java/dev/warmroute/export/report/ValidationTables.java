package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.SelfReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Predictions beside measurements as tables. */
final class ValidationTables {
    private static final List<Metric> SHOWN =
            List.of(Metric.HIT_PCT, Metric.OUTPUT_TOKENS_PER_MIN, Metric.TTFT_P50_S, Metric.TTFT_P95_S);

    private ValidationTables() {}

    /** A recording replayed as it was, beside what its engines counted. */
    static DataTable itself(SelfReplay replay) {
        DataTable.Builder table = DataTable.captioned("The recording, replayed as it was")
                .words("Figures")
                .numbers("Cached", Unit.TOKENS)
                .numbers("Off", Unit.CHANGE)
                .numbers("Tolerated", Unit.PERCENT)
                .numbers("Prefix hit", Unit.PERCENT)
                .numbers("Requests exact", Unit.COUNT)
                .numbers("Output", Unit.TOKENS_PER_MINUTE)
                .numbers("TTFT p50", Unit.SECONDS)
                .numbers("TTFT p95", Unit.SECONDS);
        OptionalDouble off = OptionalDouble.of(replay.cachedOffPct());
        OptionalDouble none = OptionalDouble.empty();
        row(table, "counted by the engines", replay.recorded(), none, none);
        OptionalDouble tolerated = OptionalDouble.of(replay.tolerancePct());
        replay.cacheAlone()
                .ifPresent(c -> table.row(
                        Cell.words("caches alone, placements and times as recorded"),
                        Cell.of(c.cachedTokens(), Unit.TOKENS),
                        Cell.of(c.offPct(), Unit.CHANGE),
                        Cell.of(tolerated, Unit.PERCENT),
                        Cell.of(c.hitPct(), Unit.PERCENT),
                        Cell.of(c.exactRequests(), Unit.COUNT),
                        Cell.of(none, Unit.TOKENS_PER_MINUTE),
                        Cell.of(none, Unit.SECONDS),
                        Cell.of(none, Unit.SECONDS)));
        boolean again = replay.byPolicy().isPresent();
        row(table, "replayed, placed as recorded", replay.asPlaced(), again ? none : off, again ? none : tolerated);
        replay.byPolicy()
                .ifPresent(f -> row(table, "replayed, " + replay.policy() + " deciding again", f, off, tolerated));
        return table.build().withoutEmptyColumns();
    }

    private static void row(
            DataTable.Builder table,
            String name,
            SelfReplay.Figures figures,
            OptionalDouble off,
            OptionalDouble tolerated) {
        table.row(
                Cell.words(name),
                Cell.of(figures.cachedTokens(), Unit.TOKENS),
                Cell.of(off, Unit.CHANGE),
                Cell.of(tolerated, Unit.PERCENT),
                Cell.of(figures.hitPct(), Unit.PERCENT),
                Cell.of(figures.exactRequests(), Unit.COUNT),
                Cell.of(figures.outputTokensPerMin(), Unit.TOKENS_PER_MINUTE),
                Cell.of(figures.ttftP50S(), Unit.SECONDS),
                Cell.of(figures.ttftP95S(), Unit.SECONDS));
    }

    static DataTable accuracy(List<ComparisonSummary> summaries) {
        DataTable.Builder table = DataTable.captioned("How far off the simulation was")
                .words("Metric")
                .words("Errors in")
                .numbers("Cases", Unit.COUNT)
                .numbers("Mean error", Unit.RATIO)
                .numbers("Bias", Unit.COUNT)
                .numbers("Worst error", Unit.RATIO)
                .words("Worst case");
        for (ComparisonSummary s : summaries) {
            Metric metric = ReportSections.metric(s.metric());
            boolean points = metric.unit() == Unit.PERCENT;
            table.row(
                    Cell.words(metric.label()),
                    Cell.words(points ? "points" : "% of the measured"),
                    Cell.of(s.cases(), Unit.COUNT),
                    Cell.of(s.meanError(), Unit.PERCENT),
                    Cell.of(s.bias(), Unit.POINTS),
                    Cell.of(s.worstError(), Unit.PERCENT),
                    Cell.words(s.worstCase()));
        }
        return table.build();
    }

    static DataTable lines(List<Comparison> comparisons) {
        DataTable.Builder table = DataTable.captioned("Measured and predicted, run by run")
                .words("Run")
                .words("Policy");
        for (Metric metric : SHOWN) {
            table.numbers(metric.label() + " measured", metric.unit()).numbers("predicted", metric.unit());
        }
        for (Comparison comparison : comparisons) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.words(comparison.name()));
            cells.add(Cell.words(comparison.policy()));
            for (Metric metric : SHOWN) {
                Optional<Comparison.Line> line = comparison.line(metric);
                cells.add(line.map(l -> Cell.of(l.measured(), metric.unit())).orElse(missing()));
                cells.add(line.map(l -> Cell.of(l.predicted(), metric.unit())).orElse(missing()));
            }
            table.row(cells);
        }
        return table.build().withoutEmptyColumns();
    }

    private static Cell missing() {
        return new Cell.Missing("not known");
    }
}
