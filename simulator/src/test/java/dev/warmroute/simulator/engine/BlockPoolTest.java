package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The block pool against vLLM's rules spelled out with lists. */
class BlockPoolTest {
    @Property(tries = 500)
    void blocksAreHandedOutInOrderAndNeverTwice(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Model model = new Model(1 + random.nextInt(40), random.nextBoolean(), random.nextBoolean());
        for (int i = 0; i < 300; i++) {
            model.act(random);
            model.compare();
        }
    }

    @Example
    void anEmptyPoolRefuses() {
        BlockPool pool = new BlockPool(2, 1, true, true);
        assertThat(pool.allocate()).isEqualTo(1);
        assertThat(pool.allocate()).isEqualTo(2);
        assertThatThrownBy(pool::allocate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no free block");

        ExtentPool extents = new ExtentPool(2, true);
        extents.allocate(1);
        assertThatThrownBy(() -> extents.allocate(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 blocks asked for, 1 of 2 free");
    }

    private static final class Model {
        private static final int NAMES = 12;

        private final boolean caching;
        private final boolean unhashedFirst;
        private final int capacity;
        private final BlockPool pool;
        private final List<Integer> queue;
        private final int[] holders;
        private final Map<Integer, List<Integer>> cached = new HashMap<>(); // chain id -> blocks, oldest first
        private final List<List<Integer>> rows = new ArrayList<>();
        private long evicted;

        Model(int capacity, boolean caching, boolean unhashedFirst) {
            this.caching = caching;
            this.unhashedFirst = unhashedFirst;
            this.capacity = capacity;
            this.pool = new BlockPool(capacity, 1, caching, unhashedFirst);
            this.queue =
                    new ArrayList<>(IntStream.rangeClosed(1, capacity).boxed().toList());
            this.holders = new int[capacity + 1];
        }

        void act(SplittableRandom random) {
            if (rows.isEmpty() || random.nextInt(6) == 0) {
                rows.add(new ArrayList<>());
            }
            int row = random.nextInt(rows.size());
            switch (random.nextInt(4)) {
                case 0 -> allocate(rows.get(row));
                case 1 -> touch(rows.get(row), random.nextInt(NAMES));
                case 2 -> register(rows.get(row), random.nextInt(NAMES));
                default -> free(rows.remove(row));
            }
        }

        private void allocate(List<Integer> row) {
            if (queue.isEmpty()) {
                return;
            }
            int block = queue.removeFirst();
            if (cached.values().removeIf(blocks -> blocks.equals(List.of(block)))
                    || cached.values().stream().anyMatch(blocks -> blocks.remove((Integer) block))) {
                evicted++;
            }
            assertThat(holders[block]++).as("nobody holds it").isZero();
            assertThat(pool.allocate()).isEqualTo(block);
            row.add(block);
        }

        private void touch(List<Integer> row, int chainId) {
            if (!cached.containsKey(chainId)) {
                return;
            }
            int block = cached.get(chainId).getFirst();
            if (!row.contains(block)) {
                queue.remove((Integer) block);
                holders[block]++;
                pool.touch(block);
                row.add(block);
            }
        }

        private void register(List<Integer> row, int chainId) {
            if (!caching || row.isEmpty() || isCached(row.getLast())) {
                return;
            }
            cached.computeIfAbsent(chainId, id -> new ArrayList<>()).add(row.getLast());
            pool.register(row.getLast(), 0, chainId);
        }

        private void free(List<Integer> row) {
            List<Integer> nobodys = row.reversed().stream()
                    .filter(block -> --holders[block] == 0)
                    .toList();
            List<Integer> first = new ArrayList<>(nobodys);
            first.removeIf(block -> !unhashedFirst || isCached(block));
            queue.addAll(0, first);
            queue.addAll(
                    nobodys.stream().filter(block -> !first.contains(block)).toList());
            pool.free(row.stream().mapToInt(Integer::intValue).toArray(), 0, row.size());
        }

        private boolean isCached(int block) {
            return cached.values().stream().anyMatch(blocks -> blocks.contains(block));
        }

        void compare() {
            assertThat(pool.free()).isEqualTo(queue.size());
            assertThat(pool.used()).isEqualTo(capacity - queue.size());
            assertThat(pool.distinct()).isEqualTo(cached.size());
            assertThat(pool.evicted()).isEqualTo(evicted);
            for (int id = 0; id < NAMES; id++) {
                assertThat(pool.find(0, id))
                        .isEqualTo(cached.getOrDefault(id, List.of(0)).getFirst());
            }
        }
    }
}
