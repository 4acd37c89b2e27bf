package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostCacheTest {
    private final HostCache cache = new HostCache(3);
    private final IntOpenHashSet seen = new IntOpenHashSet();

    /** What was taken in; empty when it was refused. */
    private Optional<List<Integer>> offer(int... ids) {
        IntArrayList stored = new IntArrayList();
        return cache.offer(ids, 0, ids.length, stored, seen) ? Optional.of(List.copyOf(stored)) : Optional.empty();
    }

    private void write(int... ids) {
        assertThat(offer(ids)).isPresent();
        for (int id : ids) {
            cache.written(id);
        }
    }

    @Test
    void theBlockUsedLongestAgoGoesFirst() {
        write(1, 2, 3);
        cache.touch(1);
        write(4);
        assertThat(cache.state(2)).isEqualTo(HostCache.ABSENT);
        assertThat(cache.state(1)).isEqualTo(HostCache.READY);
        assertThat(cache.size()).isEqualTo(3);
        assertThat(cache.evicted()).isEqualTo(1);
    }

    @Test
    void whatIsWrittenReadOrOfferedStays() {
        write(1, 2);
        assertThat(offer(3)).hasValue(List.of(3));
        assertThat(cache.state(3)).isEqualTo(HostCache.PENDING);
        cache.pin(1);
        assertThat(offer(2, 4)).as("nothing but 2 could go, and it is offered").isEmpty();
        assertThat(cache.state(4)).isEqualTo(HostCache.ABSENT);
        assertThat(offer(4)).hasValue(List.of(4));
        assertThat(cache.state(2)).isEqualTo(HostCache.ABSENT);
        cache.unpin(1);
        assertThat(offer(5)).hasValue(List.of(5));
        assertThat(cache.state(1)).isEqualTo(HostCache.ABSENT);
    }

    @Test
    void whatIsThereIsNotStoredAgainAndSeenOnlyWhenItCouldBeRead() {
        write(1);
        seen.clear();
        assertThat(offer(1, 2)).hasValue(List.of(2));
        assertThat(offer(1, 2)).hasValue(List.of());
        assertThat(seen).containsExactlyInAnyOrder(1, 2);
        seen.clear();
        assertThat(offer(2)).hasValue(List.of());
        assertThat(seen).as("2 is still being written").isEmpty();
    }

    @Test
    void tooManyAtOnceAreNotTaken() {
        assertThat(offer(1, 2, 3, 4)).isEmpty();
        assertThat(cache.size()).isZero();
    }
}
