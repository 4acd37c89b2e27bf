package dev.warmroute.router.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.Topic;
import dev.warmroute.router.publish.LostRanges.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LostRangesTest {
    @Test
    void neighboursShareARangeAndOthersDoNot() {
        LostRanges ranges = new LostRanges(10);
        ranges.add(5, Topic.DECISIONS, "full");
        ranges.add(7, Topic.REQUESTS, "full");
        ranges.add(6, Topic.DECISIONS, "late");
        ranges.add(20, Topic.CONTROL, "full");
        assertThat(ranges.take())
                .containsExactly(
                        new Range(5, 7, Map.of(Topic.DECISIONS, 2L, Topic.REQUESTS, 1L), "full; late"),
                        new Range(20, 20, Map.of(Topic.CONTROL, 1L), "full"));
        assertThat(ranges.isEmpty()).isTrue();
    }

    @Test
    void whenThereAreTooManyTheNarrowestGapCloses() {
        LostRanges ranges = new LostRanges(2);
        ranges.add(0, Topic.DECISIONS, "full");
        ranges.add(10, Topic.DECISIONS, "full");
        ranges.add(13, Topic.REQUESTS, "full");
        assertThat(ranges.take())
                .containsExactly(
                        new Range(0, 0, Map.of(Topic.DECISIONS, 1L), "full"),
                        new Range(10, 13, Map.of(Topic.DECISIONS, 1L, Topic.REQUESTS, 1L), "full"));
    }

    /** Random numbers are lost in random order; some ranges are taken and told, some are taken and put back. */
    @Property(tries = 300)
    void everyLostNumberLiesInARangeAndIsCountedOnce(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 8) int maxRanges,
            @ForAll @IntRange(min = 1, max = 120) int width) {
        Random random = new Random(seed);
        LostRanges ranges = new LostRanges(maxRanges);
        Map<Long, Topic> lost = new TreeMap<>();
        List<Range> told = new ArrayList<>();
        for (long i = 0; i < width; i++) {
            long number = random.nextInt(width);
            Topic topic = Topic.values()[random.nextInt(Topic.values().length)];
            if (lost.putIfAbsent(number, topic) == null) {
                ranges.add(number, topic, "reason " + random.nextInt(5));
            }
            if (random.nextInt(10) == 0) {
                for (Range range : ranges.take()) {
                    if (random.nextBoolean()) {
                        told.add(range);
                    } else {
                        ranges.restore(range);
                    }
                }
            }
        }
        told.addAll(ranges.take());

        assertThat(lost.keySet()).allMatch(n -> told.stream().anyMatch(r -> r.from() <= n && n <= r.to()));
        Map<Topic, Long> counted = new HashMap<>();
        told.forEach(r -> r.count().forEach((topic, n) -> counted.merge(topic, n, Long::sum)));
        Map<Topic, Long> expected = new HashMap<>();
        lost.values().forEach(topic -> expected.merge(topic, 1L, Long::sum));
        assertThat(counted).isEqualTo(expected);
        assertThat(told).allSatisfy(r -> {
            assertThat(lost).containsKeys(r.from(), r.to());
            assertThat(r.total()).isLessThanOrEqualTo(r.to() - r.from() + 1);
        });
    }

    @Property(tries = 200)
    void withoutALimitNothingButLostNumbersIsInARange(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 100) int width) {
        Random random = new Random(seed);
        LostRanges ranges = new LostRanges(width);
        TreeMap<Long, Topic> lost = new TreeMap<>();
        for (long i = 0; i < width; i++) {
            long number = random.nextInt(width);
            if (lost.putIfAbsent(number, Topic.DECISIONS) == null) {
                ranges.add(number, Topic.DECISIONS, "full");
            }
        }
        long end = -2;
        for (Range r : ranges.take()) {
            assertThat(r.from()).as("neighbouring ranges are one").isGreaterThan(end + 1);
            assertThat(r.total()).isEqualTo(r.to() - r.from() + 1);
            assertThat(lost.subMap(r.from(), r.to() + 1)).hasSize((int) r.total());
            end = r.to();
        }
    }
}
