package dev.warmroute.router.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.fleet.DeltaTracker.Reading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DeltaTrackerTest {
    private final DeltaTracker tracker = new DeltaTracker("r0");
    private long scrapedUs = 1_000_000;

    @Test
    void theFirstPageHasNoDeltasAndTheNextHasTheGain() {
        Reading first = scrape(0, 1.0, Map.of("prompt_tokens", 100.0));
        assertThat(first.deltas()).isEmpty();
        assertThat(first.reset()).isFalse();
        assertThat(first.epoch()).isZero();
        assertThat(first.intervalMs()).isZero();

        Reading second = scrape(0, 1.0, Map.of("prompt_tokens", 130.0));
        assertThat(second.deltas()).isEqualTo(Map.of("prompt_tokens", 30.0));
        assertThat(second.intervalMs()).isEqualTo(1000);
    }

    @Test
    void aFallOfACounterIsANewEpochAndTheValueIsTheGain() {
        scrape(0, 1.0, Map.of("prompt_tokens", 100.0, "generation_tokens", 5.0));
        Reading after = scrape(0, 1.0, Map.of("prompt_tokens", 20.0, "generation_tokens", 9.0));
        assertThat(after.reset()).isTrue();
        assertThat(after.epoch()).isEqualTo(1);
        assertThat(after.intervalMs()).isZero();
        assertThat(after.deltas()).isEqualTo(Map.of("prompt_tokens", 20.0, "generation_tokens", 9.0));
        assertThat(scrape(0, 1.0, Map.of("prompt_tokens", 25.0)).reset()).isFalse();
    }

    @Test
    void anotherProcessStartIsANewEpochEvenWhenNoCounterFell() {
        scrape(0, 1.0, Map.of("prompt_tokens", 100.0));
        Reading after = scrape(0, 2.0, Map.of("prompt_tokens", 400.0));
        assertThat(after.reset()).isTrue();
        assertThat(after.deltas()).isEqualTo(Map.of("prompt_tokens", 400.0));
    }

    @Test
    void aPageThatDoesNotSayWhenTheProcessStartedIsNoRestart() {
        scrape(0, 1.0, Map.of("prompt_tokens", 100.0));
        EngineSnapshot silent =
                new EngineSnapshot(0, Map.of("prompt_tokens", 101.0), Map.of(), Map.of(), OptionalDouble.empty());
        assertThat(tracker.advance(List.of(silent), scrapedUs++).getFirst().reset())
                .isFalse();
        assertThat(scrape(0, 1.0, Map.of("prompt_tokens", 102.0)).reset()).isFalse();
        assertThat(scrape(0, 3.0, Map.of("prompt_tokens", 103.0)).reset()).isTrue();
    }

    @Test
    void aCounterThatWasAwayForAPageGainsWhenItIsBackAndANewOneStartsWithNoDelta() {
        scrape(0, 1.0, Map.of("prompt_tokens", 100.0));
        assertThat(scrape(0, 1.0, Map.of("num_preemptions", 4.0)).deltas()).isEmpty();
        assertThat(scrape(0, 1.0, Map.of("prompt_tokens", 110.0, "num_preemptions", 5.0))
                        .deltas())
                .isEqualTo(Map.of("prompt_tokens", 10.0, "num_preemptions", 1.0));
    }

    @Test
    void roundingOfSumsOverProcessesIsNoRestart() {
        scrape(0, 1.0, Map.of("request_queue_time_seconds_sum", 0.1 + 0.2 + 0.3));
        Reading after = scrape(0, 1.0, Map.of("request_queue_time_seconds_sum", 0.3 + 0.2 + 0.1));
        assertThat(after.reset()).isFalse();
        assertThat(after.deltas().get("request_queue_time_seconds_sum")).isZero();
    }

    @Test
    void enginesOfOnePageAreFollowedOneByOne() {
        tracker.advance(List.of(snapshot(0, 1.0, Map.of("a", 10.0)), snapshot(1, 1.0, Map.of("a", 50.0))), 1000);
        List<Reading> readings =
                tracker.advance(List.of(snapshot(0, 1.0, Map.of("a", 12.0)), snapshot(1, 1.0, Map.of("a", 5.0))), 3000);
        assertThat(readings).extracting(Reading::reset).containsExactly(false, true);
        assertThat(readings).extracting(Reading::epoch).containsExactly(0, 1);
        assertThat(readings).extracting(r -> r.deltas().get("a")).containsExactly(2.0, 5.0);
    }

    @Test
    void theEventCarriesWhatThePageSaid() {
        RouterIdentity router = new RouterIdentity("here", 1, 9);
        tracker.advance(List.of(snapshot(3, 1.0, Map.of("prompt_tokens", 10.0))), 2_000_000);
        EngineSnapshot page = new EngineSnapshot(
                3,
                Map.of("prompt_tokens", 12.0),
                Map.of("num_requests_running", 1.0),
                Map.of("block_size", "16", "num_gpu_blocks", "300"),
                OptionalDouble.of(1.0));
        assertThat(tracker.advance(List.of(page), 3_500_000).getFirst().event(Optional.of("0.32.0"), router))
                .isEqualTo(new CountersDelta(
                        "r0",
                        3,
                        3_500_000,
                        1500,
                        0,
                        false,
                        Map.of("prompt_tokens", 2.0),
                        Map.of("prompt_tokens", 12.0),
                        Map.of("num_requests_running", 1.0),
                        List.of(
                                "generation_tokens",
                                "num_preemptions",
                                "prefix_cache_hits",
                                "prefix_cache_queries",
                                "prompt_tokens_cached",
                                "request_success"),
                        OptionalInt.of(16),
                        OptionalInt.of(300),
                        Optional.of("0.32.0"),
                        router));
    }

    /**
     * Engines count, restart and leave series out at random. For each counter and epoch the deltas add up to the last value
     * minus the first, where the first value of an epoch that began under our eyes is 0.
     */
    @Property(tries = 300)
    void deltasAddUpToLastMinusFirst(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int scrapes) {
        Random random = new Random(seed);
        DeltaTracker tracked = new DeltaTracker("r0");
        String[] names = {"a", "b", "c"};
        for (int engine = 0; engine < 2; engine++) {
            double[] values = {random.nextInt(50), random.nextInt(50), random.nextInt(50)};
            double start = 1;
            int restarts = 0;
            Map<String, Double> first = new HashMap<>();
            Map<String, Double> last = new HashMap<>();
            Map<String, Double> sums = new HashMap<>();
            for (int i = 0; i < scrapes; i++) {
                if (i > 0 && random.nextInt(8) == 0) {
                    start++;
                    restarts++;
                    values = new double[3];
                    requireSums(sums, first, last);
                    first = new HashMap<>(Map.of("a", 0.0, "b", 0.0, "c", 0.0));
                    last = new HashMap<>();
                    sums = new HashMap<>();
                }
                Map<String, Double> page = new TreeMap<>();
                for (int n = 0; n < names.length; n++) {
                    values[n] += random.nextInt(1000);
                    if (random.nextInt(5) > 0) {
                        page.put(names[n], values[n]);
                        first.putIfAbsent(names[n], values[n]);
                        last.put(names[n], values[n]);
                    }
                }
                Reading reading = tracked.advance(List.of(snapshot(engine, start, page)), i * 1000L)
                        .getFirst();
                assertThat(reading.epoch()).isEqualTo(restarts);
                assertThat(page.keySet()).containsAll(reading.deltas().keySet());
                assertThat(reading.deltas().values()).allMatch(delta -> delta >= 0);
                Map<String, Double> sum = sums;
                reading.deltas().forEach((name, delta) -> sum.merge(name, delta, Double::sum));
            }
            requireSums(sums, first, last);
        }
    }

    private static void requireSums(Map<String, Double> sums, Map<String, Double> first, Map<String, Double> last) {
        last.forEach((name, value) ->
                assertThat(sums.getOrDefault(name, 0.0)).as(name).isEqualTo(value - first.get(name)));
    }

    private Reading scrape(int engine, double start, Map<String, Double> counters) {
        Reading reading = tracker.advance(List.of(snapshot(engine, start, counters)), scrapedUs)
                .getFirst();
        scrapedUs += 1_000_000;
        return reading;
    }

    private static EngineSnapshot snapshot(int engine, double start, Map<String, Double> counters) {
        return new EngineSnapshot(engine, counters, Map.of(), Map.of(), OptionalDouble.of(start));
    }
}
