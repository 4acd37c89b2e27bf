package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.OffloadTier;
import dev.warmroute.simulator.timing.AffineLaw;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a second cache in host memory changes for a conversation whose blocks were overwritten on the card. */
class HostMemoryTest {
    private static final long STEP = 1_000_000;
    private static final long BLOCK = 50_000; // to copy a block, either way

    private final List<String> heard = new ArrayList<>();

    private TimedEngine engine(EngineConfig config) {
        Engine[] made = new Engine[1];
        TimedEngine[] timed = new TimedEngine[1];
        made[0] = new Engine(config, new ChainInterner(config.blockSize()), new EngineListener() {
            @Override
            public void loading(int request, int cachedTokens, int loadedTokens, boolean resumed) {
                heard.add(timed[0].now() + " loads " + loadedTokens + " after " + cachedTokens);
            }

            @Override
            public void admitted(int request, int cachedTokens, boolean resumed) {
                heard.add(timed[0].now() + " admitted with " + cachedTokens);
            }
        });
        timed[0] = new TimedEngine(made[0], new AffineLaw(STEP * 1000, 0, 0, 0, 0));
        return timed[0];
    }

    private static EngineConfig config() {
        return EngineConfig.defaults()
                .withBlockSize(16)
                .withUsableBlocks(10)
                .withMaxModelLen(160)
                .withAsyncScheduling(false);
    }

    /** A conversation, another one that overwrites all of it on the card, and the first one again. */
    private void overwritten(TimedEngine timed) {
        Prompt first = Prompt.of(1 << 20, 128);
        timed.add(0, first, 1, 2 << 20);
        timed.advance(100 * STEP);
        timed.add(100 * STEP, Prompt.of(3 << 20, 144), 1, 4 << 20);
        timed.advance(200 * STEP);
        timed.add(200 * STEP, Prompt.builder().all(first).span(5 << 20, 20).build(), 1, 6 << 20);
        timed.advance(TimedEngine.NEVER);
    }

    @Test
    void withoutItTheConversationIsComputedAgain() {
        TimedEngine timed = engine(config());
        overwritten(timed);
        assertThat(heard).last().isEqualTo(200 * STEP + " admitted with 16");
        assertThat(timed.engine().counters().externalQueries()).isZero();
    }

    @Test
    void withItTheBlocksAreLoadedInTheirTimeAndCountedApart() {
        TimedEngine timed = engine(config().withHostMemory(new HostMemory(100, 7_000, BLOCK, BLOCK)));
        overwritten(timed);
        long arrived = 200 * STEP + 7_000 + 7 * BLOCK;
        assertThat(heard.subList(heard.size() - 2, heard.size()))
                .containsExactly(200 * STEP + " loads 112 after 16", arrived + " admitted with 128");
        EngineCounters counters = timed.engine().counters();
        assertThat(counters.hits()).isEqualTo(16);
        assertThat(counters.externalQueries()).isEqualTo(128 + 144 + 132);
        assertThat(counters.externalHits()).isEqualTo(112);
        assertThat(counters.promptTokensCached()).isEqualTo(128);
        assertThat(timed.engine().hostBlocks()).isEqualTo(8 + 9 + 1);
    }

    @Test
    void aWholePromptInHostMemoryStillHasItsLastTokenComputed() {
        TimedEngine timed = engine(config().withHostMemory(new HostMemory(100, 0, 0, 0)));
        Prompt prompt = Prompt.of(1 << 20, 128);
        timed.add(0, prompt, 1, 2 << 20);
        timed.advance(100 * STEP);
        timed.add(100 * STEP, Prompt.of(3 << 20, 159), 1, 4 << 20);
        timed.advance(200 * STEP);
        timed.add(200 * STEP, prompt, 1, 6 << 20);
        timed.advance(TimedEngine.NEVER);
        assertThat(heard).last().asString().endsWith("admitted with 127");
        assertThat(timed.engine().counters().externalHits()).isEqualTo(128);
    }

    @Test
    void aRequestWhoseBlocksAreOnTheirWayForAnotherWaitsForThem() {
        TimedEngine timed = engine(config().withHostMemory(new HostMemory(100, 0, BLOCK, 0)));
        Prompt prompt = Prompt.of(1 << 20, 128);
        timed.add(0, prompt, 1, 2 << 20);
        timed.advance(100 * STEP);
        timed.add(100 * STEP, Prompt.of(3 << 20, 159), 1, 4 << 20);
        timed.advance(200 * STEP);
        Prompt longer = Prompt.builder().all(prompt).span(5 << 20, 8).build();
        timed.add(200 * STEP, prompt, 1, 6 << 20);
        timed.add(200 * STEP, longer, 1, 8 << 20);
        timed.advance(TimedEngine.NEVER);
        assertThat(heard).filteredOn(h -> h.contains("loads")).hasSize(1);
        assertThat(heard).last().asString().endsWith("admitted with 128");
    }

    @Test
    void itIsForFullAttentionAndHasRoomForABlockAtLeast() {
        HostMemory memory = HostMemory.of(new OffloadTier(1000, 16, 1 << 20), 1e9);
        assertThat(memory.loadNanosPerBlock()).isEqualTo(1_048_576);
        EngineConfig hybrid =
                EngineConfig.defaults().withGroups(List.of(new KvGroup.Full(), new KvGroup.SlidingWindow(128)));
        assertThatThrownBy(() -> hybrid.withHostMemory(memory))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("hybrid");
        assertThatThrownBy(() -> HostMemory.of(new OffloadTier(0, 16, 1 << 20), 1e9))
                .hasMessageContaining("holds no block");
        assertThatThrownBy(() -> HostMemory.of(new OffloadTier(9, 16, 1 << 20), 0))
                .hasMessageContaining("bandwidth");
    }
}
