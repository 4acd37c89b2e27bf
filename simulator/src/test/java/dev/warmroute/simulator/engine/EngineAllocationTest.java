package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In steady state the engine leaves nothing for the garbage collector, counted in bytes that this thread allocated and not in
 * time. Less than an object each is what is left of arrays that still grow.
 */
class EngineAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long SMALLEST_OBJECT = 16;
    private static final int RUNNING = 32;
    private static final int REQUESTS = 400;
    private static final int STEPS = 3_000;

    private final Prompt[] prompts = new Prompt[REQUESTS];
    private int next;

    EngineAllocationTest() {
        for (int i = 0; i < REQUESTS; i++) {
            prompts[i] = Prompt.of((i % 40 + 1L) << 32, 2_000 + 300 * (i / 40));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "full+swa:1024", "full+gdn:align"})
    void aStepAllocatesNothing(String groups) {
        Engine engine = engine(groups, 6_000);
        assertThat(allocatedOnceWarm(STEPS, () -> {
                    while (engine.running() + engine.waiting() < RUNNING) {
                        add(engine, 150);
                    }
                    engine.step();
                }))
                .isLessThan(STEPS * SMALLEST_OBJECT);
        assertThat(engine.counters().preemptions()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "full+swa:1024", "full+gdn:align"})
    void aRequestThatWasSeenBeforeAllocatesNothing(String groups) {
        Engine engine = engine(groups, 4_000);
        assertThat(allocatedOnceWarm(REQUESTS, () -> {
                    add(engine, 1);
                    while (engine.hasRequests()) {
                        engine.step();
                    }
                }))
                .isLessThan(REQUESTS * SMALLEST_OBJECT);
        assertThat(engine.evictedBlocks()).isPositive();
    }

    /** Bytes allocated by doing something so many times, after having done it three times as often. */
    private static long allocatedOnceWarm(int times, Runnable action) {
        for (int i = 0; i < 3 * times; i++) {
            action.run();
        }
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            action.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private void add(Engine engine, int output) {
        engine.add(prompts[next], output, Turn.freshOutput(next));
        next = (next + 1) % REQUESTS;
    }

    private static Engine engine(String groups, int usableBlocks) {
        EngineConfig config = EngineConfig.defaults()
                .withUsableBlocks(usableBlocks)
                .withGroups(
                        Arrays.stream(groups.split("\\+")).map(KvGroup::parse).toList());
        return new Engine(config, new ChainInterner(config.blockSize()), EngineListener.NONE);
    }
}
