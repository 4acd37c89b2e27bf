package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WorkingSetTest {
    private static final int B = 16;
    private static final long SECOND = 1_000_000_000L;

    /** Whatever is asked in whatever order, the blocks of a window are those that a list of all touches has in it. */
    @Property(tries = 100)
    void theBlocksOfAWindowAreThoseOfAListOfAllTouches(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 5_000) Integer> draws) {
        ReuseDistance reuse = new ReuseDistance(B);
        List<long[]> touches = new ArrayList<>(); // block, time
        long at = 0;
        for (int draw : draws) {
            at += draw % 7 * SECOND;
            int session = draw % 5;
            int blocks = 1 + draw % 12;
            reuse.add(Prompt.of(session * 100_000L, blocks * B + draw % B), at);
            for (int b = 0; b < blocks; b++) {
                touches.add(new long[] {session * 1_000L + b, at});
            }
            for (long window : new long[] {1, 5, 20, 1_000}) {
                long since = at - window * SECOND;
                Set<Long> expected = new HashSet<>();
                touches.stream().filter(t -> t[1] > since).forEach(t -> expected.add(t[0]));
                assertThat(reuse.blocksSince(since)).isEqualTo(expected.size());
            }
        }
    }

    @Test
    void sessionsThatComeAndGoAreInUseForOneWindow() {
        // two sessions of ten blocks for 100 s, a turn each every 10 s, then one of them alone
        WorkingSetMeter meter = meter(OptionalDouble.of(30));
        for (int i = 0; i <= 20; i++) {
            meter.add(turn(2 * i, i * 10 * SECOND, Prompt.of(0, 10 * B)));
            if (i <= 10) {
                meter.add(turn(2 * i + 1, i * 10 * SECOND, Prompt.of(1_000_000, 10 * B)));
            }
        }
        WorkingSet set = meter.result(OptionalDouble.of(10)).orElseThrow();
        assertThat(set.windowS()).isEqualTo(30);
        assertThat(set.peakTokens()).isEqualTo(20 * B);
        assertThat(tokensAt(set, 50)).isEqualTo(20 * B);
        assertThat(tokensAt(set, 129)).isEqualTo(20 * B);
        assertThat(tokensAt(set, 135)).isEqualTo(10 * B);
        assertThat(set.windows()).extracting(WorkingSet.Window::peakTokens).isSorted();
        assertThat(set.turnCycleP95S()).hasValue(10);
    }

    @Test
    void aLongTraceIsToldInAsManyPointsAndLosesNoPeak() {
        WorkingSetMeter meter = meter(OptionalDouble.empty());
        for (int day = 0; day < 30; day++) {
            meter.add(turn(day, day * 86_400 * SECOND, Prompt.of(day * 1_000_000L, (day == 17 ? 99 : 10) * B)));
        }
        WorkingSet set = meter.result(OptionalDouble.of(100)).orElseThrow();
        assertThat(set.windowS()).isEqualTo(120);
        assertThat(set.points()).hasSizeBetween(128, 256);
        assertThat(set.peakTokens()).isEqualTo(99 * B);
        assertThat(set.points().get(set.points().size() - 1).atS()).isCloseTo(29 * 86_400, within(set.everyS()));
        assertThat(set.p50Tokens()).isZero();
    }

    @Test
    void withoutRequestsThereIsNone() {
        assertThat(meter(OptionalDouble.empty()).result(OptionalDouble.empty())).isEmpty();
    }

    private static WorkingSetMeter meter(OptionalDouble window) {
        return new WorkingSetMeter(new ReuseDistance(B), B, window);
    }

    private static long tokensAt(WorkingSet set, double second) {
        return set.points().stream()
                .filter(p -> p.atS() <= second)
                .reduce((a, b) -> b)
                .orElseThrow()
                .tokens();
    }

    private static Turn turn(int index, long at, Prompt prompt) {
        return new Turn(index, at, "", "", 0, Turn.UNKNOWN, prompt, 1, Turn.freshOutput(index), Turn.Recorded.NOTHING);
    }
}
