package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.export.chart.ReplicaLoad.Load;
import dev.warmroute.export.report.ReportInput.Loads;
import dev.warmroute.export.report.ReportInput.Percentiles;
import dev.warmroute.export.table.SimulatedTurns;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a real replay. */
class TurnStatisticsTest {
    private static final WorkloadSpec WORKLOAD = WorkloadSpec.named("lm-warden").withSessions(6);
    private static Outcome outcome;
    private static List<TurnRow> turns;

    @BeforeAll
    static void replay() {
        outcome = new Subject.OfWorkload(WORKLOAD, 60)
                .replay(WORKLOAD.fleetSpec(), Policies.create("warden", Map.of(), 32), new Seeds(1), share -> {});
        turns = SimulatedTurns.of("warden", 1, outcome);
    }

    @Test
    void everyRequestSentIsARow() {
        long prompt = turns.stream()
                .filter(t -> t.cachedTokens().isPresent())
                .mapToLong(t -> t.promptTokens().orElseThrow())
                .sum();
        long computed =
                turns.stream().mapToLong(t -> t.computedTokens().orElse(0)).sum();
        long missed = 0;
        for (long tokens : outcome.missedTokens()) {
            missed += tokens;
        }
        assertThat(turns).isNotEmpty().isSortedAccordingTo((a, b) -> Double.compare(a.sendS(), b.sendS()));
        assertThat(computed).isEqualTo(missed).isLessThan(prompt);
        assertThat(turns)
                .filteredOn(t -> t.turn() == 1)
                .allMatch(t -> t.gapBeforeS().isEmpty() && t.homeReplica().isEmpty());
        assertThat(turns)
                .filteredOn(t -> t.turn() > 1)
                .isNotEmpty()
                .allMatch(t -> t.gapBeforeS().orElseThrow() >= 0);
        assertThat(turns)
                .filteredOn(t -> t.decision().equals("sticky"))
                .allMatch(t -> t.replica().equals(t.homeReplica()));
    }

    @Test
    void percentilesRiseToTheLastRequest() {
        Percentiles p = TurnStatistics.of(turns).percentiles("s").get(0);
        double[] times = turns.stream()
                .filter(t -> t.ttftS().isPresent())
                .mapToDouble(t -> t.ttftS().getAsDouble())
                .sorted()
                .toArray();
        assertThat(p.percentiles().get(0).x()).isZero();
        assertThat(p.percentiles().get(0).y()).isEqualTo(times[0]);
        assertThat(p.percentiles()).isSortedAccordingTo((a, b) -> Double.compare(a.y(), b.y()));
        assertThat(p.percentiles().get(p.percentiles().size() - 1).y()).isLessThanOrEqualTo(times[times.length - 1]);
        double median = p.percentiles().stream()
                .filter(q -> q.x() <= 50)
                .reduce((a, b) -> b)
                .orElseThrow()
                .y();
        assertThat(median).isCloseTo(times[times.length / 2], within(times[times.length - 1] / 2));
    }

    @Test
    void loadsCountEveryRequestOnEveryReplica() {
        Loads loads = TurnStatistics.of(turns).loads("s").get(0);
        assertThat(loads.loads())
                .extracting(Load::replica)
                .isSubsetOf("r0", "r1", "r2", "r3")
                .isSorted();
        assertThat(loads.loads().stream().mapToDouble(Load::value).sum()).isEqualTo(turns.size());
    }

    @Test
    void aReportsTablesHoldItsFigures(@TempDir Path directory) {
        ReportModel model = SampleReports.full();
        ReportTables tables = new ReportTables(model);
        assertThat(tables.write(directory))
                .extracting(p -> p.getFileName().toString())
                .containsExactly("rule.parquet", "mrc.parquet", "sweep.parquet", "validation.parquet");
        assertThat(tables.sweep())
                .filteredOn(r -> r.metric().equals("hit_pct") && r.policy().equals("warden"))
                .extracting(r -> r.sessions().orElseThrow() + ":" + r.mean())
                .containsExactly("4:85.3", "8:84.4", "16:51.3", "24:30.2", "32:30.1");
        assertThat(tables.validation())
                .filteredOn(r -> r.metric().equals("hit_pct"))
                .hasSize(10);
        assertThat(new ReportTables(SampleReports.fits()).write(directory)).hasSize(1);
    }
}
