package dev.warmroute.recorder.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A set of sequence numbers as ranges: numbers arrive nearly in order, so there are few. Not thread-safe.
 */
public final class SequenceRanges {
    /** Numbers from {@code from} to {@code to}, both included. */
    public record Range(long from, long to) {
        public Range {
            if (from > to) {
                throw new IllegalArgumentException("range from " + from + " to " + to);
            }
        }

        public long size() {
            return to - from + 1;
        }
    }

    private final NavigableMap<Long, Long> ranges = new TreeMap<>();

    public SequenceRanges() {}

    public SequenceRanges(List<Range> ranges) {
        ranges.forEach(r -> add(r.from(), r.to()));
    }

    /** Adds a number; false when it was there already. */
    public boolean add(long number) {
        Map.Entry<Long, Long> before = ranges.floorEntry(number);
        if (before != null && before.getValue() >= number) {
            return false;
        }
        if (before != null && before.getValue() == number - 1) {
            Long end = ranges.remove(number + 1);
            ranges.put(before.getKey(), end == null ? number : end);
        } else {
            add(number, number);
        }
        return true;
    }

    /** Adds all numbers from {@code from} to {@code to}. */
    public void add(long from, long to) {
        long start = from;
        long end = to;
        Map.Entry<Long, Long> before = ranges.floorEntry(start);
        if (before != null && before.getValue() >= start - 1) {
            start = before.getKey();
            end = Math.max(end, before.getValue());
        }
        Map.Entry<Long, Long> next = ranges.ceilingEntry(start);
        while (next != null && next.getKey() <= end + 1) {
            end = Math.max(end, next.getValue());
            ranges.remove(next.getKey());
            next = ranges.ceilingEntry(start);
        }
        ranges.put(start, end);
    }

    public void addAll(SequenceRanges other) {
        other.ranges.forEach(this::add);
    }

    public boolean contains(long number) {
        Map.Entry<Long, Long> before = ranges.floorEntry(number);
        return before != null && before.getValue() >= number;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** How many numbers there are. */
    public long size() {
        return ranges.entrySet().stream()
                .mapToLong(r -> r.getValue() - r.getKey() + 1)
                .sum();
    }

    public List<Range> ranges() {
        List<Range> out = new ArrayList<>(ranges.size());
        ranges.forEach((from, to) -> out.add(new Range(from, to)));
        return out;
    }

    /** What is missing between the first and the last number. */
    public List<Range> holes() {
        List<Range> out = new ArrayList<>();
        long expected = Long.MIN_VALUE;
        for (Map.Entry<Long, Long> r : ranges.entrySet()) {
            if (expected != Long.MIN_VALUE) {
                out.add(new Range(expected, r.getKey() - 1));
            }
            expected = r.getValue() + 1;
        }
        return out;
    }
}
