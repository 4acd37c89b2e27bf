package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PrefixIndexTest {
    private static final long FOREVER = Long.MAX_VALUE;

    @Test
    void whatWasSentIsHeldAsFarAsThePromptsAgree() {
        PrefixIndex index = new PrefixIndex(100, FOREVER);
        index.add(chain(1, 2, 3), 0);
        assertThat(index.matched(chain(1, 2, 3, 4), 1)).isEqualTo(3);
        assertThat(index.matched(chain(1, 2, 9), 1)).isEqualTo(2);
        assertThat(index.matched(chain(9, 2, 3), 1))
                .as("another beginning is another prompt")
                .isZero();
        assertThat(index.matched(new long[0], 1)).isZero();
        assertThat(index.size()).isEqualTo(3);
    }

    @Test
    void theLongestUnusedGoesFirstItsTailBeforeItsHead() {
        PrefixIndex index = new PrefixIndex(5, FOREVER);
        index.add(chain(1, 2, 3), 0);
        index.add(chain(7, 8), 1);
        index.add(chain(5), 2);
        assertThat(index.matched(chain(1, 2, 3), 3)).as("its tail had to go").isEqualTo(2);
        index.add(chain(1, 2), 3);
        index.add(chain(6), 4);
        assertThat(index.matched(chain(1, 2), 5)).as("used again").isEqualTo(2);
        assertThat(index.matched(chain(7, 8), 5)).isEqualTo(1);
        assertThat(index.size()).isEqualTo(5);
    }

    @Test
    void whatIsLongerThanTheIndexIsHeldFromItsHead() {
        PrefixIndex index = new PrefixIndex(2, FOREVER);
        index.add(chain(1, 2, 3, 4), 0);
        assertThat(index.matched(chain(1, 2, 3, 4), 0)).isEqualTo(2);
    }

    @Test
    void whatIsIdleTooLongIsForgotten() {
        PrefixIndex index = new PrefixIndex(100, 10);
        index.add(chain(1, 2, 3), 0);
        index.add(chain(1, 2), 5);
        assertThat(index.matched(chain(1, 2, 3), 9)).isEqualTo(3);
        assertThat(index.matched(chain(1, 2, 3), 10)).isEqualTo(2);
        assertThat(index.matched(chain(1, 2, 3), 15)).isZero();
        assertThat(index.size()).isZero();
    }

    /** Against an ordered map that is searched block by block. */
    @Property(tries = 200)
    void itHoldsWhatAnOrderedMapHolds(@ForAll long seed) {
        Random random = new Random(seed);
        int maxBlocks = 1 + random.nextInt(300);
        long idle = random.nextBoolean() ? FOREVER : 1 + random.nextInt(40);
        PrefixIndex index = new PrefixIndex(maxBlocks, idle);
        LinkedHashMap<Long, Long> model = new LinkedHashMap<>();
        List<long[]> prompts = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int[] words = new int[1 + random.nextInt(40)];
            Arrays.setAll(words, w -> random.nextInt(2));
            prompts.add(chain(words));
        }
        long now = 0;
        for (int i = 0; i < 120; i++) {
            now += random.nextInt(4);
            long[] chain = prompts.get(random.nextInt(prompts.size()));
            chain = Arrays.copyOf(chain, 1 + random.nextInt(chain.length));
            expire(model, now, idle);
            int expected = 0;
            while (expected < chain.length && model.containsKey(chain[expected])) {
                expected++;
            }
            assertThat(index.matched(chain, now)).isEqualTo(expected);
            if (random.nextInt(3) > 0) {
                index.add(chain, now);
                for (int b = Math.min(chain.length, maxBlocks) - 1; b >= 0; b--) {
                    if (model.remove(chain[b]) == null && model.size() >= maxBlocks) {
                        model.remove(model.keySet().iterator().next());
                    }
                    model.put(chain[b], now);
                }
            }
            assertThat(index.size()).isEqualTo(model.size());
        }
    }

    private static void expire(Map<Long, Long> model, long now, long idle) {
        model.values().removeIf(used -> now - used >= idle);
    }

    /** Chained hashes of these words: equal for as long as the words are. */
    private static long[] chain(int... words) {
        long[] chain = new long[words.length];
        long parent = 17;
        for (int i = 0; i < words.length; i++) {
            parent = (parent * 31 + words[i] + 1) * 0x9E3779B97F4A7C15L;
            chain[i] = parent;
        }
        return chain;
    }
}
