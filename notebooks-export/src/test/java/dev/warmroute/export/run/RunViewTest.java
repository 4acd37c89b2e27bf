package dev.warmroute.export.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A view of a replay adds up to the replay. */
class RunViewTest {
    private static final Outcome OUTCOME = SampleRuns.outcome("random", SampleRuns.fleet());
    private static final RunView VIEW = RunView.of("random", 1, OUTCOME, RunMachine.of(SampleRuns.fleet()));

    private static int[] sent() {
        return IntStream.range(0, OUTCOME.requests().size())
                .filter(OUTCOME.requests()::wasSent)
                .toArray();
    }

    private static double sum(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).sum();
    }

    @Test
    void theTimelineHasAllTimeInFlightAndAllPromptTokens() {
        RequestLog log = OUTCOME.requests();
        double seconds = 0, cached = 0, computed = 0;
        for (int r : sent()) {
            long end = log.hasEnded(r) ? Math.min(log.end(r), OUTCOME.endNanos()) : OUTCOME.endNanos();
            seconds += log.replica(r) >= 0 ? (end - log.sent(r)) / 1e9 : 0;
            if (log.hasFirst(r)) {
                cached += log.cachedTokens(r);
                computed += log.promptTokens(r) - log.cachedTokens(r);
            }
        }
        Timeline timeline = VIEW.timeline().orElseThrow();
        double inFlight =
                timeline.inFlight().stream().mapToDouble(RunViewTest::sum).sum();
        assertThat(inFlight * timeline.stepS()).isCloseTo(seconds, within(1e-6 * seconds));
        assertThat(sum(timeline.cachedPerS()) * timeline.stepS()).isCloseTo(cached, within(1e-6 * cached));
        assertThat(sum(timeline.computedPerS()) * timeline.stepS()).isCloseTo(computed, within(1e-6 * computed));
    }

    @Test
    void aCacheHoldsNoMoreThanItHas() {
        Occupancy occupancy = VIEW.occupancy().orElseThrow();
        assertThat(occupancy.replicas()).hasSize(SampleRuns.fleet().replicas());
        for (Occupancy.OfReplica replica : occupancy.replicas()) {
            assertThat(replica.heldPct()).hasSameSizeAs(occupancy.atS()).allMatch(p -> p >= 0 && p <= 100);
            for (int i = 0; i < replica.heldPct().size(); i++) {
                assertThat(replica.heldPct().get(i) + replica.keptPct().get(i)).isBetween(0.0, 100.0 + 1e-9);
            }
        }
        assertThat(occupancy.replicas())
                .as("too small a cache fills")
                .anyMatch(r -> IntStream.range(0, r.heldPct().size())
                        .anyMatch(i -> r.heldPct().get(i) + r.keptPct().get(i) > 99));
    }

    @Test
    void everyConversationBeganSomewhere() {
        long conversations = IntStream.of(sent())
                .map(OUTCOME.requests()::conversation)
                .distinct()
                .count();
        assertThat(VIEW.placed().stream().mapToInt(Integer::intValue).sum()).isEqualTo((int) conversations);
    }

    @Test
    void whatIsListedIsTheMost() {
        assertThat(VIEW.coldest())
                .hasSize(8)
                .isSortedAccordingTo((a, b) -> Long.compare(b.againTokens(), a.againTokens()));
        assertThat(VIEW.coldest()).allMatch(t -> t.turn() > 1 && t.againTokens() <= t.promptTokens() && t.againS() > 0);
        assertThat(VIEW.costliest()).isSortedAccordingTo((a, b) -> Long.compare(b.againTokens(), a.againTokens()));
        assertThat(VIEW.misplaced())
                .isNotEmpty()
                .allMatch(s -> s.movedTurns() > 0 && s.movedTokens() <= s.againTokens());
        assertThat(VIEW.growers()).isNotEmpty().allMatch(s -> s.contextMost() > s.contextFirst());
        Lanes lanes = VIEW.lanes().orElseThrow();
        assertThat(lanes.lanes()).hasSizeBetween(2, 24);
        assertThat(lanes.lanes().stream().flatMap(l -> l.bars().stream()))
                .allMatch(
                        b -> b.sentS() <= b.firstS() && b.firstS() <= b.endS() && b.hitPct() >= 0 && b.hitPct() <= 100);
        assertThat(VIEW.ttft()).isSortedAccordingTo((a, b) -> Double.compare(a.seconds(), b.seconds()));
    }

    @Test
    void withoutALimitThereIsNoOccupancy() {
        RunView unlimited = RunView.of(
                "warden",
                1,
                SampleRuns.outcome("warden", SampleRuns.withoutLimit()),
                RunMachine.of(SampleRuns.withoutLimit()));
        assertThat(unlimited.occupancy()).isEmpty();
        assertThat(unlimited.misplaced()).isEmpty();
        assertThat(unlimited.coldest()).isEmpty();
    }
}
