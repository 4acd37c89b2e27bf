package dev.warmroute.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.sweep.SweepSummary.OfPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SweepSummaryTest {
    private static final double WRONG = -1;

    /** @param outputs tokens/min in the order of the grid: by sessions, then by policy, then by seed */
    private static List<OfPolicy> summary(String sessions, String seeds, double... outputs) {
        Sweep sweep = Grids.parse("{workload: lm-warden, policies: [random, warden, fit], sessions: [%s], seeds: %s}"
                .formatted(sessions, seeds));
        List<SweepRow> rows = new ArrayList<>();
        for (Map.Entry<String, Scenario> s : sweep.scenarios().entrySet()) {
            double output = outputs[rows.size()];
            ScenarioResult result = output == WRONG
                    ? ScenarioResult.wrong(s.getKey(), "too small")
                    : new ScenarioResult(s.getKey(), "", Optional.of(figures(output)));
            rows.add(new SweepRow(rows.size(), s.getValue(), result));
        }
        assertThat(outputs).hasSize(rows.size());
        return SweepSummary.of("t", sweep, rows, new SweepProgress(rows.size(), rows.size(), 0, 1, 0))
                .policies();
    }

    private static ScenarioFigures figures(double output) {
        OptionalDouble none = OptionalDouble.empty();
        return new ScenarioFigures(
                1,
                0,
                1,
                OptionalLong.empty(),
                none,
                OptionalDouble.of(output),
                none,
                none,
                none,
                none,
                OptionalLong.empty(),
                none,
                none,
                OptionalLong.empty(),
                new TreeMap<>());
    }

    @Test
    void equalOnesAreAllTheBest() {
        List<OfPolicy> policies = summary("2, 4, 8", "1", 5, 5, 4, 3, 3, 7, 1, 2, 2);
        assertThat(policies).extracting(OfPolicy::bestOutput).containsExactly(1, 2, 2);
        assertThat(policies).extracting(OfPolicy::points).containsExactly(3, 3, 3);
    }

    @Test
    void meansAreOfThePointsAtWhichAllWentAsAskedFor() {
        List<OfPolicy> policies = summary("2, 4", "1..2", 10, 20, 30, 30, 20, 20, 900, 900, 1, 1, 1, WRONG);
        assertThat(policies)
                .extracting(p -> p.outputTokensPerMin().orElseThrow())
                .containsExactly(15.0, 30.0, 20.0);
        assertThat(policies).extracting(OfPolicy::compared).containsExactly(2, 2, 2);
        assertThat(policies).extracting(OfPolicy::wrong).containsExactly(0, 0, 1);
        assertThat(policies).extracting(OfPolicy::bestOutput).containsExactly(0, 1, 0);
        assertThat(policies).extracting(OfPolicy::points).containsExactly(1, 1, 1);
    }

    @Test
    void aPolicyThatNowhereWentAsAskedForIsNotWaitedFor() {
        List<OfPolicy> policies = summary("2", "1", 10, WRONG, 20);
        assertThat(policies).extracting(OfPolicy::compared).containsExactly(1, 0, 1);
        assertThat(policies).extracting(OfPolicy::points).containsExactly(1, 0, 1);
        assertThat(policies.get(1).outputTokensPerMin()).isEmpty();
    }

    @Test
    void whereNothingCanBeSharedThereAreNoFigures() {
        assertThat(summary("2, 4", "1", 10, WRONG, 1, WRONG, 10, 1))
                .extracting(OfPolicy::compared)
                .containsExactly(0, 0, 0);
        assertThat(summary("2", "1", WRONG, WRONG, WRONG))
                .extracting(OfPolicy::points)
                .containsExactly(0, 0, 0);
    }
}
