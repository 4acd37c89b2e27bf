package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the engine's work grows, counted and not timed: what doubles may at most double it, a tenth for the edges. */
class EngineWorkTest {
    private static final double TWICE = 2.2;
    private static final int PROMPT = 6_000;
    private static final int OUTPUT = 200;

    @ParameterizedTest
    @ValueSource(strings = {"full", "full+swa:1024", "full+gdn:align"})
    void twiceTheRequestsAtTheSameRateAreTwiceTheWork(String groups) {
        assertThat(work(groups, 400, PROMPT, OUTPUT, 50)).isLessThan(TWICE * work(groups, 200, PROMPT, OUTPUT, 50));
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "full+swa:1024", "full+gdn:align"})
    void aQueueTwiceAsLongIsTwiceTheWork(String groups) {
        assertThat(work(groups, 400, PROMPT, OUTPUT, 0)).isLessThan(TWICE * work(groups, 200, PROMPT, OUTPUT, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "full+swa:1024", "full+gdn:align"})
    void promptsTwiceAsLongAreTwiceTheWork(String groups) {
        assertThat(work(groups, 200, 2 * PROMPT, OUTPUT, 100))
                .isLessThan(TWICE * work(groups, 200, PROMPT, OUTPUT, 100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "full+swa:1024", "full+gdn:align"})
    void answersTwiceAsLongAreTwiceTheWork(String groups) {
        assertThat(work(groups, 200, PROMPT, 2 * OUTPUT, 100))
                .isLessThan(TWICE * work(groups, 200, PROMPT, OUTPUT, 100));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16})
    void inExtentsTheLengthOfAPromptMattersLittle(int times) {
        assertThat(work("full", 200, times * 2_000, OUTPUT, 1_000))
                .isLessThan(1.5 * work("full", 200, 2_000, OUTPUT, 1_000));
    }

    /**
     * Operations of a replica that serves growing conversations of ten turns, through a cache too small for all.
     *
     * @param prompt tokens of a conversation's last prompt
     * @param everyMillis time between two arrivals
     */
    private static double work(String groups, int requests, int prompt, int output, long everyMillis) {
        CountedWork counted = new CountedWork();
        EngineConfig config = EngineConfig.defaults()
                .withMaxNumSeqs(16)
                .withGroups(
                        Arrays.stream(groups.split("\\+")).map(KvGroup::parse).toList())
                .withUsableBlocks(20 * prompt / EngineConfig.defaults().blockSize());
        TimedEngine engine = new TimedEngine(
                counted.engine(config, new ChainInterner(config.blockSize())),
                TimingPresets.DEFAULT.preset().law());
        for (int i = 0; i < requests; i++) {
            int turn = i / 20 % 10 + 1;
            long conversation = i % 20 + 20L * (i / 200);
            Prompt said = Prompt.of((conversation + 1) << 32, prompt * turn / 10);
            engine.add(i * everyMillis * 1_000_000, said, output, Turn.freshOutput(i));
        }
        engine.advance(TimedEngine.NEVER);
        assertThat(engine.engine().counters().finished()).isEqualTo(requests);
        return counted.operations();
    }
}
