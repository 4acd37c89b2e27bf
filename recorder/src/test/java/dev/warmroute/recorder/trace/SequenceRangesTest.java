package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.SequenceRanges.Range;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SequenceRangesTest {
    /** Whatever the order, ranges hold what a set of the same numbers holds. */
    @Property(tries = 300)
    void rangesAreASet(@ForAll @Size(max = 80) List<@IntRange(max = 60) Integer> numbers) {
        SequenceRanges ranges = new SequenceRanges();
        TreeSet<Long> set = new TreeSet<>();
        for (int n : numbers) {
            if (n % 7 == 0) {
                ranges.add(n, n + 3L);
                for (long i = n; i <= n + 3; i++) {
                    set.add(i);
                }
            } else {
                assertThat(ranges.add(n)).isEqualTo(set.add((long) n));
            }
        }
        assertThat(ranges.size()).isEqualTo(set.size());
        for (long i = -1; i < 70; i++) {
            assertThat(ranges.contains(i)).as("%s", i).isEqualTo(set.contains(i));
        }
        long before = Long.MIN_VALUE;
        for (Range r : ranges.ranges()) {
            assertThat(r.from()).as("ranges that touch are one").isGreaterThan(before + 1);
            before = r.to();
        }
        long holes = ranges.holes().stream().mapToLong(Range::size).sum();
        assertThat(holes).isEqualTo(set.isEmpty() ? 0 : set.last() - set.first() + 1 - set.size());
    }

    /** A bit a number, and the same set, over the borders of words and chunks. */
    @Property(tries = 200)
    void theBitSetHoldsWhatTheRangesHold(@ForAll @Size(max = 60) List<@IntRange(max = 200_000) Integer> numbers) {
        SequenceSet bits = new SequenceSet();
        SequenceSet other = new SequenceSet();
        SequenceRanges ranges = new SequenceRanges();
        for (int n : numbers) {
            switch (n % 3) {
                case 0 -> {
                    bits.add(n);
                    ranges.add(n);
                }
                case 1 -> {
                    other.add(n);
                    ranges.add(n);
                }
                default -> {
                    SequenceRanges run = new SequenceRanges();
                    run.add(n, n + 70_000L);
                    bits.addAll(run);
                    ranges.add(n, n + 70_000L);
                }
            }
        }
        bits.addAll(other);
        assertThat(bits.ranges().ranges()).isEqualTo(ranges.ranges());
    }

    @Test
    void numbersNearlyInOrderStayFewRanges() {
        SequenceRanges ranges = new SequenceRanges();
        for (long i = 0; i < 1000; i += 2) {
            ranges.add(i + 1);
            ranges.add(i);
        }
        assertThat(ranges.ranges()).containsExactly(new Range(0, 999));
    }
}
