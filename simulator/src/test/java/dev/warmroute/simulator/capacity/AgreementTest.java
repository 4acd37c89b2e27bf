package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.SerialReplay;
import dev.warmroute.simulator.replay.SessionIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where closed form, reuse distance and simulated cache must say the same. */
class AgreementTest {
    private static final int B = 16;
    private static final int SESSIONS = 6;
    private static final int BLOCKS = 10;
    private static final int ROUNDS = 8;

    /**
     * Six sessions in turn, each of ten full blocks and one token. With room for c blocks, LRU keeps of a session the blocks
     * that 50 others and its own deeper ones have not pushed out: closed form min(10, max(0, c - 50)).
     */
    @ParameterizedTest
    @ValueSource(ints = {20, 49, 50, 51, 55, 59, 60, 61, 100})
    void cyclicAccess(int capacity) {
        List<Turn> turns = new ArrayList<>();
        ReuseDistance reuse = new ReuseDistance(B);
        for (int i = 0; i < SESSIONS * ROUNDS; i++) {
            Prompt prompt = Prompt.of((i % SESSIONS) * 10_000L, BLOCKS * B + 1);
            turns.add(turn(i, prompt));
            reuse.add(prompt);
        }
        int kept = Math.min(BLOCKS, Math.max(0, capacity - (SESSIONS - 1) * BLOCKS));
        double closedForm = 100.0 * kept * B * (ROUNDS - 1) / (ROUNDS * (BLOCKS * B + 1));
        assertThat(reuse.hitPct((long) capacity * B)).isCloseTo(closedForm, within(1e-9));
        // A running request's partial block takes one block more.
        assertThat(simulated(turns, capacity + 1)).isCloseTo(closedForm, within(1e-9));
    }

    @Property(tries = 100)
    void aLargerCacheNeverHitsLessWhenRequestsComeOneAfterAnother(
            @ForAll List<@IntRange(max = 2000) Integer> seeds, @ForAll @IntRange(min = 30, max = 90) int blocks) {
        List<Turn> turns = new ArrayList<>();
        for (int seed : seeds) {
            Prompt prompt = Prompt.builder()
                    .span(0, 20 + seed % 40)
                    .span(1000L * (1 + seed % 7), 1 + seed % 150)
                    .build();
            turns.add(turn(turns.size(), prompt));
        }
        if (!turns.isEmpty()) {
            assertThat(simulated(turns, blocks)).isLessThanOrEqualTo(simulated(turns, blocks + 15) + 1e-9);
        }
    }

    private static double simulated(List<Turn> turns, int blocks) {
        Outcome outcome = SerialReplay.run(
                turns,
                SessionIndex.of(turns),
                1,
                EngineConfig.defaults().withBlockSize(B).withUsableBlocks(blocks),
                Policies.create("round_robin", Map.of(), 64),
                new Seeds(1));
        RequestLog log = outcome.requests();
        long hit = 0;
        long all = 0;
        for (int r = 0; r < log.size(); r++) {
            hit += log.cachedTokens(r);
            all += log.promptTokens(r);
        }
        return 100.0 * hit / all;
    }

    private static Turn turn(int index, Prompt prompt) {
        return new Turn(
                index, index, "", "", 0, Turn.UNKNOWN, prompt, 1, Turn.freshOutput(index), Turn.Recorded.NOTHING);
    }
}
