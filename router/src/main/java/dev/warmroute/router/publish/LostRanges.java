package dev.warmroute.router.publish;

import dev.warmroute.router.event.Topic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which numbers of the router's sequence were lost: ranges that hold every lost number, with exact counts by topic. Numbers
 * that lie side by side share a range. When there are more ranges than {@code maxRanges} the two with the narrowest gap
 * become one, which then also spans numbers that were written; the counts stay exact. Not thread-safe.
 */
final class LostRanges {
    private static final int MAX_REASONS = 3;

    /**
     * Lost numbers.
     *
     * @param from first lost number
     * @param to last lost number
     * @param count lost numbers from {@code from} to {@code to}, by topic
     * @param reason why, in one line
     */
    record Range(long from, long to, Map<Topic, Long> count, String reason) {
        Range {
            count = Map.copyOf(count);
        }

        /** How many numbers were lost. */
        long total() {
            return count.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static final class Open {
        private final long from;
        private long to;
        private final Map<Topic, Long> count = new EnumMap<>(Topic.class);
        private final TreeSet<String> reasons = new TreeSet<>();

        Open(long from, long to) {
            this.from = from;
            this.to = to;
        }

        void absorb(Open other) {
            to = Math.max(to, other.to);
            other.count.forEach((topic, n) -> count.merge(topic, n, Long::sum));
            other.reasons.forEach(this::because);
        }

        void because(String reason) {
            if (reasons.size() < MAX_REASONS) {
                reasons.add(reason);
            }
        }

        Range close() {
            return new Range(from, to, count, String.join("; ", reasons));
        }
    }

    private final int maxRanges;
    private final NavigableMap<Long, Open> ranges = new TreeMap<>();

    LostRanges(int maxRanges) {
        if (maxRanges < 1) {
            throw new IllegalArgumentException("maxRanges must be at least 1: " + maxRanges);
        }
        this.maxRanges = maxRanges;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Adds one lost number, which was not added before. */
    void add(long sequence, Topic topic, String reason) {
        addRun(sequence, topic, 1, reason);
    }

    /** Adds {@code n} lost numbers from {@code sequence} on, all of one topic. */
    void addRun(long sequence, Topic topic, long n, String reason) {
        Open run = new Open(sequence, sequence + n - 1);
        run.count.put(topic, n);
        run.because(reason);
        insert(run);
    }

    /** Puts back a range that was taken but could not be told. */
    void restore(Range range) {
        Open open = new Open(range.from(), range.to());
        open.count.putAll(range.count());
        open.because(range.reason());
        insert(open);
    }

    /** Takes all ranges, in order. */
    List<Range> take() {
        List<Range> taken = new ArrayList<>(ranges.size());
        ranges.values().forEach(r -> taken.add(r.close()));
        ranges.clear();
        return taken;
    }

    private void insert(Open added) {
        Open range = added;
        Map.Entry<Long, Open> before = ranges.floorEntry(added.from);
        if (before != null && before.getValue().to >= added.from - 1) {
            range = before.getValue();
            range.absorb(added);
        } else {
            ranges.put(range.from, range);
        }
        Map.Entry<Long, Open> next = ranges.higherEntry(range.from);
        while (next != null && next.getKey() <= range.to + 1) {
            ranges.remove(next.getKey());
            range.absorb(next.getValue());
            next = ranges.higherEntry(range.from);
        }
        if (ranges.size() > maxRanges) {
            closeNarrowestGap();
        }
    }

    private void closeNarrowestGap() {
        Open left = null;
        Open before = null;
        long narrowest = Long.MAX_VALUE;
        for (Open range : ranges.values()) {
            if (before != null && range.from - before.to < narrowest) {
                narrowest = range.from - before.to;
                left = before;
            }
            before = range;
        }
        Open right = ranges.higherEntry(left.from).getValue();
        ranges.remove(right.from);
        left.absorb(right);
    }
}
