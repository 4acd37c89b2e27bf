package dev.warmroute.export.report;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.run.RunView;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.simulator.capacity.CapacityResult;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Everything a report says, before it is written. {@link ReportBuilder} makes it.
 *
 * @param title what the report is about
 * @param doubt what puts all of it into question; empty when nothing does
 * @param verdict the answer
 * @param provenance where it comes from
 * @param capacity the rule per replica, the reuse curve, the simulated check
 * @param checks the three checks side by side
 * @param agreement what it means that they agree or not; may be empty
 * @param scenarios the what-ifs, in order
 * @param comparisons predictions beside measurements
 * @param accuracy the same summed up by metric
 * @param largestSessions sessions with the longest contexts, the longest first
 * @param costliestSessions sessions whose prompts were computed again most, the costliest first
 * @param runs replays seen from inside: that of the baseline and that of the policy that is ahead
 * @param assertions assertions and how they came out
 * @param charts charts in the order of the report; ids are unique
 * @param definitions terms
 * @param caveats what to read the figures with, a sentence each
 * @param leftOut plots that the data do not allow, and what they need
 */
public record ReportModel(
        String title,
        Optional<Doubt> doubt,
        VerdictBox verdict,
        Provenance provenance,
        Optional<CapacityResult> capacity,
        List<Check> checks,
        String agreement,
        List<Scenario> scenarios,
        List<Comparison> comparisons,
        List<ComparisonSummary> accuracy,
        List<SessionRow> largestSessions,
        List<SessionRow> costliestSessions,
        List<RunView> runs,
        List<Assertion> assertions,
        List<PlacedChart> charts,
        List<Definition> definitions,
        List<String> caveats,
        List<Definition> leftOut) {

    /** Version of the JSON; a reader of version 1 reads every version 1. */
    public static final int SCHEMA_VERSION = 1;

    public ReportModel {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(doubt, "doubt");
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(provenance, "provenance");
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(agreement, "agreement");
        checks = List.copyOf(checks);
        scenarios = List.copyOf(scenarios);
        comparisons = List.copyOf(comparisons);
        accuracy = List.copyOf(accuracy);
        largestSessions = List.copyOf(largestSessions);
        costliestSessions = List.copyOf(costliestSessions);
        runs = List.copyOf(runs);
        assertions = List.copyOf(assertions);
        charts = List.copyOf(charts);
        definitions = List.copyOf(definitions);
        caveats = List.copyOf(caveats);
        leftOut = List.copyOf(leftOut);
        Set<String> ids = new HashSet<>();
        for (PlacedChart placed : charts) {
            if (!ids.add(placed.chart().id())) {
                throw new IllegalArgumentException(
                        "two charts have the id " + placed.chart().id());
            }
        }
    }

    /** A chart and the section it belongs to. */
    public record PlacedChart(Place place, Chart chart) {}

    /** Sections that show charts. */
    public enum Place {
        CAPACITY,
        WHAT_IF,
        INSIDE,
        VALIDATION
    }

    List<Chart> charts(Place place) {
        return charts.stream()
                .filter(p -> p.place() == place)
                .map(PlacedChart::chart)
                .toList();
    }
}
