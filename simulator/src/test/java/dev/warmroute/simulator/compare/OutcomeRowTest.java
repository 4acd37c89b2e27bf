package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomeRowTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int REQUESTS = 12;

    @Test
    void whatCameFromHostMemoryIsOfTheRequestsThatCount() {
        Outcome all = outcome();
        PolicyRow whole = OutcomeRow.of("round_robin", all, true);
        PolicyRow half = OutcomeRow.of("round_robin", all.countedFrom(REQUESTS / 2 * SECOND), true);
        assertThat(half.requests()).isEqualTo(REQUESTS / 2);
        assertThat(half.externalHits().orElseThrow())
                .isPositive()
                .isLessThan(whole.externalHits().orElseThrow());
        for (PolicyRow row : List.of(whole, half)) {
            assertThat(row.externalQueries().orElseThrow())
                    .isEqualTo(row.promptTokens()
                            - row.cachedTokens().orElseThrow()
                            + row.externalHits().orElseThrow());
        }
    }

    /** Three prompts in turn on a card that holds one of them, with host memory that holds all. */
    private static Outcome outcome() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            turns.add(new Turn(
                    i,
                    i * SECOND,
                    "",
                    "",
                    0,
                    Turn.UNKNOWN,
                    Prompt.of((long) (i % 3) << 20, 320),
                    1,
                    Turn.freshOutput(i),
                    Turn.Recorded.NOTHING));
        }
        EngineConfig engine = EngineConfig.defaults()
                .withBlockSize(16)
                .withUsableBlocks(30)
                .withHostMemory(new HostMemory(1000, 0, 1000, 1000));
        return FleetReplay.run(
                new TraceLoad(turns).open(),
                FleetSpec.of(1, engine, TimingPresets.DEFAULT.preset()),
                Policies.create("round_robin", Map.of(), 32),
                new Seeds(1),
                Progress.NONE);
    }
}
