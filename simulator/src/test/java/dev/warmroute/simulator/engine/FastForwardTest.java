package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.simulator.timing.AffineLaw;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastForwardTest {
    @Property(tries = 1000)
    void takingManyDecodeStepsAtOnceChangesNothing(@ForAll long seed) {
        Workload workload = Workload.of(seed, false);
        List<String> single = new WorkloadRun(workload, true, false).run(WorkloadRun.Driving.ARRIVALS);

        for (WorkloadRun.Driving driving : WorkloadRun.Driving.values()) {
            assertThat(new WorkloadRun(workload, true, true).run(driving))
                    .as("%s %s", driving, workload)
                    .isEqualTo(single);
        }
    }

    @Property(tries = 1000)
    void extentsDoWhatBlocksDo(@ForAll long seed) {
        Workload workload = Workload.of(seed, false);

        assertThat(new WorkloadRun(workload, true, false).run(WorkloadRun.Driving.ARRIVALS))
                .as("%s", workload)
                .isEqualTo(new WorkloadRun(workload, false, false).run(WorkloadRun.Driving.ARRIVALS));
    }

    @Property(tries = 500)
    void takingManyDecodeStepsAtOnceChangesNothingForHybrids(@ForAll long seed) {
        Workload workload = Workload.of(seed, true);
        List<String> single = new WorkloadRun(workload, false, false).run(WorkloadRun.Driving.ARRIVALS);

        for (WorkloadRun.Driving driving : WorkloadRun.Driving.values()) {
            assertThat(new WorkloadRun(workload, false, true).run(driving))
                    .as("%s %s", driving, workload)
                    .isEqualTo(single);
        }
    }

    /** Host memory behind the cache: loads and stores in their own time, with extents, with blocks and step by step. */
    @Property(tries = 1000)
    void hostMemoryChangesNothingAboutThat(@ForAll long seed) {
        sameWithHostMemory(seed);
    }

    /** The blocks of a request that was aborted while it was loaded come back in the middle of a stretch. */
    @ParameterizedTest
    @ValueSource(longs = 804_027)
    void norDoesItForWorkloadsThatOnceDiffered(long seed) {
        sameWithHostMemory(seed);
    }

    private static void sameWithHostMemory(long seed) {
        Workload workload = Workload.of(seed, false).withHost(seed);
        List<String> single = new WorkloadRun(workload, true, false).run(WorkloadRun.Driving.ARRIVALS);

        for (WorkloadRun.Driving driving : WorkloadRun.Driving.values()) {
            assertThat(new WorkloadRun(workload, true, true).run(driving))
                    .as("%s %s", driving, workload)
                    .isEqualTo(single);
        }
        assertThat(new WorkloadRun(workload, false, true).run(WorkloadRun.Driving.MOMENTS))
                .as("blocks %s", workload)
                .isEqualTo(single);
    }

    /**
     * With asynchronous scheduling, a request that comes back from preemption has all it lost in flight as one chunk; the
     * blocks that its window leaves behind are freed one step after.
     */
    @Test
    void aRecomputedChunkInFlightIsSettledBeforeStepsAreTakenAtOnce() {
        EngineConfig config = EngineConfig.defaults()
                .withBlockSize(4)
                .withGroups(List.of(new KvGroup.Full(), new KvGroup.SlidingWindow(4)))
                .withUsableBlocks(28)
                .withMaxNumBatchedTokens(64)
                .withPrefixCaching(false)
                .withReserveFullIsl(false);
        List<Workload.Request> two = List.of(request(0, Prompt.of(0, 16), 40), request(0, Prompt.of(1 << 20, 16), 40));

        assertThat(bothWays(config, false, two)).anyMatch(seen -> seen.contains("resumed with 0 1"));
    }

    /** A running request fills the block that the head of the queue lacks: it must come in at that very step. */
    @Test
    void theHeadOfTheQueueComesInWhenARunningRequestFillsWhatItLacks() {
        EngineConfig config = EngineConfig.defaults()
                .withBlockSize(4)
                .withUsableBlocks(6)
                .withMaxModelLen(24)
                .withAsyncScheduling(false);
        Workload.Request first = request(0, Prompt.of(0, 8), 12);
        Prompt continued = Prompt.builder()
                .all(first.prompt())
                .span(first.outputStart(), 4)
                .span(1 << 20, 9)
                .build();

        assertThat(bothWays(config, true, List.of(first, request(1, continued, 1))))
                .as("it waits for the third block, of 12 tokens")
                .contains("4000000 admitted with 12 1");
    }

    private static Workload.Request request(long at, Prompt prompt, int outputs) {
        return new Workload.Request(at, prompt, outputs, outputs, (1L << 40) + (at << 20), Long.MAX_VALUE);
    }

    /** What is seen of steps of a millisecond each when one looks every few steps; the same either way. */
    private static List<String> bothWays(EngineConfig config, boolean inExtents, List<Workload.Request> requests) {
        List<Long> looks =
                LongStream.range(0, 40).mapToObj(i -> i * 3_000_000 + 500_000).toList();
        Workload workload = new Workload(config, AffineLaw.ofSeconds(1e-3, 0, 0, 0, 0), requests, looks);
        List<String> single = new WorkloadRun(workload, inExtents, false).run(WorkloadRun.Driving.ARRIVALS);
        assertThat(new WorkloadRun(workload, inExtents, true).run(WorkloadRun.Driving.ARRIVALS))
                .isEqualTo(single);
        return single;
    }
}
