package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReuseDistanceTest {
    @Test
    void aCacheThatHoldsTheLoopHitsAndOneBlockLessMissesWithCyclicAccess() {
        ReuseDistance reuse = new ReuseDistance(16);
        for (int round = 0; round < 3; round++) {
            for (int s = 0; s < 4; s++) {
                reuse.add(Prompt.of(s * 1000L, 161));
            }
        }
        // 4 sessions of 10 full blocks; the later two rounds can hit 160 of 161 tokens each
        assertThat(reuse.hitPct(40 * 16)).isEqualTo(100.0 * 8 * 160 / (12 * 161));
        assertThat(reuse.unlimitedHitPct()).isEqualTo(reuse.hitPct(40 * 16));
        // with 39 blocks the tail of each has just gone, the other 9 blocks are there
        assertThat(reuse.hitPct(39 * 16)).isEqualTo(100.0 * 8 * 144 / (12 * 161));
        assertThat(reuse.hitPct(30 * 16)).isZero();
    }

    @Test
    void theLastTokenIsAlwaysComputed() {
        ReuseDistance reuse = new ReuseDistance(16);
        reuse.add(Prompt.of(0, 32));
        reuse.add(Prompt.of(0, 32));
        assertThat(reuse.unlimitedHitPct()).isEqualTo(100.0 * 16 / 64);
    }

    @Test
    void partialBlocksAreReferencesButNeverHits() {
        ReuseDistance reuse = new ReuseDistance(16);
        reuse.add(Prompt.of(0, 20));
        reuse.add(Prompt.of(0, 20));
        reuse.add(Prompt.of(0, 21));
        assertThat(reuse.blockReferences()).isEqualTo(6);
        assertThat(reuse.distinctBlocks()).isEqualTo(3);
        assertThat(reuse.unlimitedHitPct()).isEqualTo(100.0 * 32 / 61);
    }

    @Test
    void theCurveEndsWithoutLimitAndShowsTheCapacitiesAskedFor() {
        ReuseDistance reuse = new ReuseDistance(16);
        for (int i = 0; i < 200; i++) {
            reuse.add(Prompt.of((i % 50) * 4096L, 100));
        }
        ReuseCurve curve = reuse.curve(List.of(123L, 10_000_000L));
        assertThat(curve.curve())
                .extracting(ReuseCurve.Point::capacityTokens)
                .isSorted()
                .contains(123L);
        assertThat(curve.curve()).extracting(ReuseCurve.Point::hitPct).isSorted();
        ReuseCurve.Point last = curve.curve().get(curve.curve().size() - 1);
        assertThat(last).isEqualTo(new ReuseCurve.Point(10_000_000, reuse.unlimitedHitPct()));
    }

    @Property(tries = 300)
    void agreesWithAnLruListAtEveryCapacity(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 4000) Integer> seeds,
            @ForAll @IntRange(min = 1, max = 5) int blockSize) {
        ReuseDistance reuse = new ReuseDistance(blockSize);
        LruList list = new LruList(blockSize);
        for (int seed : seeds) {
            Prompt prompt = branching(seed);
            reuse.add(prompt);
            list.add(prompt);
        }
        for (int blocks = 0; blocks < 80; blocks++) {
            assertThat(reuse.hitPct((long) blocks * blockSize))
                    .as("%d blocks", blocks)
                    .isEqualTo(list.hitPct(blocks));
        }
    }

    /** A prompt of up to four spans out of few, so that prompts share prefixes and part at any place. */
    private static Prompt branching(int seed) {
        Prompt.Builder prompt = Prompt.builder().span(0, 1 + seed % 7);
        int rest = seed / 7;
        while (rest > 0) {
            prompt.span(100L * (1 + rest % 3), 1 + rest % 11);
            rest /= 8;
        }
        return prompt.build();
    }

    /** The definition itself: a list with the newest block first. */
    private static final class LruList {
        private final int blockSize;
        private final List<List<Long>> stack = new ArrayList<>();
        private final List<Integer> distances = new ArrayList<>();
        private long tokens;

        LruList(int blockSize) {
            this.blockSize = blockSize;
        }

        void add(Prompt prompt) {
            int full = prompt.tokens() / blockSize;
            List<List<Long>> chain = new ArrayList<>();
            for (int i = 0; i < full; i++) {
                List<Long> prefix = new ArrayList<>();
                for (int t = 0; t < (i + 1) * blockSize; t++) {
                    prefix.add(prompt.tokenAt(t));
                }
                chain.add(prefix);
            }
            for (int i = 0; i < (prompt.tokens() - 1) / blockSize; i++) {
                int at = stack.indexOf(chain.get(i));
                if (at >= 0) {
                    distances.add(at + 1);
                }
            }
            for (int i = full - 1; i >= 0; i--) {
                stack.remove(chain.get(i));
                stack.add(0, chain.get(i));
            }
            tokens += prompt.tokens();
        }

        double hitPct(int blocks) {
            long hits = distances.stream().filter(d -> d <= blocks).count();
            return 100.0 * hits * blockSize / tokens;
        }
    }
}
