package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Predictions beside measurements as tables. */
final class ValidationTables {
    private static final List<Metric> SHOWN =
            List.of(Metric.HIT_PCT, Metric.OUTPUT_TOKENS_PER_MIN, Metric.TTFT_P50_S, Metric.TTFT_P95_S);

    private ValidationTables() {}

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
        DataTable.Builder table =
                DataTable.captioned("Measured and predicted, run by run").words("Run").words("Policy");
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
                cells.add(line.map(l -> Cell.of(l.predicted(), metric.unit()))
                        .orElse(missing()));
            }
            table.row(cells);
        }
        return table.build().withoutEmptyColumns();
    }

    private static Cell missing() {
        return new Cell.Missing("not known");
    }
}
