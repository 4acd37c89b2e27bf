package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SampleTest {
    private static final WorkloadSpec SPEC = WorkloadSpec.named("lm-warden");

    private static Outcome outcome() {
        Seeds seeds = new Seeds(3);
        return FleetReplay.run(
                new WorkloadLoad(SPEC, seeds),
                SPEC.fleetSpec(),
                Policies.create("random", Map.of(), 32),
                seeds,
                90_000_000_000L,
                Progress.NONE);
    }

    /** With every session counted once the figures are those of the row, which are computed in another way. */
    @Test
    void everySessionOnceGivesTheFiguresOfTheReplay() {
        Outcome outcome = outcome();
        PolicyRow row = OutcomeRow.of("random", outcome);
        double[] figures = figures(Sample.of(outcome), 1);
        is(figures, Figure.HIT_PCT, row.hitPct());
        is(figures, Figure.OUTPUT_TOKENS_PER_MIN, row.outputTokensPerMin());
        is(figures, Figure.TTFT_P50_S, row.ttftP50S());
        is(figures, Figure.TTFT_P95_S, row.ttftP95S());
        is(figures, Figure.SESSION_P50_S, row.sessionP50S());
        is(figures, Figure.SESSION_P95_S, row.sessionP95S());
        is(figures, Figure.REPLICAS_BUSY, row.replicasBusy());
        is(figures, Figure.STAYED_PCT, row.stayedPct());
        assertThat(figures[Sample.ofFigure(Figure.PREEMPTIONS)])
                .isEqualTo(row.preemptions().orElseThrow());
    }

    /** What does not add up stays the same when everything counts twice, all but the place of a quantile among its values. */
    @Test
    void everySessionTwiceChangesNoRate() {
        Sample sample = Sample.of(outcome());
        double[] once = figures(sample, 1);
        double[] twice = figures(sample, 2);
        for (Figure figure :
                List.of(Figure.HIT_PCT, Figure.OUTPUT_TOKENS_PER_MIN, Figure.STAYED_PCT, Figure.SESSION_FAIRNESS)) {
            assertThat(twice[Sample.ofFigure(figure)]).isCloseTo(once[Sample.ofFigure(figure)], within(1e-9));
        }
    }

    @Property(tries = 100)
    void aWeightedQuantileIsThatOfTheValuesWrittenDownSoOften(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] weights = new int[Sample.GROUPS];
        for (int g = 0; g < 5; g++) {
            weights[g] = random.nextInt(3);
        }
        WeightedQuantiles weighted = new WeightedQuantiles();
        List<Double> written = new ArrayList<>();
        for (int i = 0; i < random.nextInt(1, 40); i++) {
            double value = random.nextInt(20);
            int group = random.nextInt(5);
            weighted.add(value, group);
            for (int n = 0; n < weights[group]; n++) {
                written.add(value);
            }
        }
        weighted.close();
        if (written.isEmpty()) {
            assertThat(weighted.at(weights, 0.5)).isNaN();
            return;
        }
        Quantiles expected =
                Quantiles.of(written.stream().mapToDouble(Double::doubleValue).toArray());
        double[] two = new double[2];
        weighted.two(weights, 0.5, 0.95, two, 0);
        assertThat(two[0]).isEqualTo(expected.at(0.5).orElseThrow());
        assertThat(two[1]).isCloseTo(expected.at(0.95).orElseThrow(), within(1e-12));
    }

    @Test
    void turnsAreSingleAtFirstAndDoubleThen() {
        int[] turns = {1, 8, 9, 16, 17, 32, 33, 64, 65, 4000};
        assertThat(Arrays.stream(turns).mapToObj(t -> TurnBucket.name(TurnBucket.of(t))))
                .containsExactly("1", "8", "9-16", "9-16", "17-32", "17-32", "33-64", "33-64", "65+", "65+");
    }

    private static double[] figures(Sample sample, int times) {
        int[] weights = new int[Sample.GROUPS];
        Arrays.fill(weights, times);
        int[] periods = new int[Sample.TIMES];
        Arrays.fill(periods, times);
        double[] figures = new double[Sample.length(SPEC.fleet().replicas())];
        sample.figures(weights, periods, figures);
        return figures;
    }

    private static void is(double[] figures, Figure figure, OptionalDouble expected) {
        assertThat(figures[Sample.ofFigure(figure)])
                .as(figure.wireName())
                .isCloseTo(expected.orElseThrow(), within(1e-9));
    }
}
