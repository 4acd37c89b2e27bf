package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Segment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How much of a growing trace is kept. Segments are dropped whole, the oldest first, and within a partition never one behind
 * another that stays.
 *
 * @param age segments whose last event is older are dropped; empty for no limit
 * @param bytes the oldest segments are dropped until all take no more; empty for no limit
 */
public record Retention(Optional<Duration> age, OptionalLong bytes) {
    private static final int MERGED_PART = 8;

    public static final Retention EVERYTHING = new Retention(Optional.empty(), OptionalLong.empty());

    public Retention {
        if (age.isPresent() && !age.get().isPositive() || bytes.isPresent() && bytes.getAsLong() < 1) {
            throw new IllegalArgumentException("what is kept must be positive: " + age + ", " + bytes + " bytes");
        }
    }

    /** How far apart the events of segments may lie that are merged into one: they are kept longer than their age by so much. */
    long mostInOneSegmentUs() {
        return age.map(a -> a.toMillis() * 1000 / MERGED_PART).orElse(Long.MAX_VALUE);
    }

    /** What is to be dropped of these segments. */
    List<Segment> expired(List<Segment> segments, long nowUs) {
        if (equals(EVERYTHING)) {
            return List.of();
        }
        long total = segments.stream().mapToLong(Segment::bytes).sum();
        long oldest = age.map(a -> nowUs - a.toMillis() * 1000).orElse(Long.MIN_VALUE);
        Set<String> stay = new HashSet<>();
        List<Segment> dropped = new ArrayList<>();
        for (Segment s : segments.stream().sorted(OLDEST_FIRST).toList()) {
            boolean old = s.lastTimeUs() < oldest;
            boolean tooMuch = bytes.isPresent() && total > bytes.getAsLong();
            String partition = s.topic() + '/' + s.partition();
            if ((old || tooMuch) && !stay.contains(partition)) {
                dropped.add(s);
                total -= s.bytes();
            } else {
                stay.add(partition);
            }
        }
        return dropped;
    }

    private static final Comparator<Segment> OLDEST_FIRST = Comparator.comparingLong(Segment::lastTimeUs)
            .thenComparing(Segment::topic)
            .thenComparingInt(Segment::partition)
            .thenComparingLong(Segment::firstOffset);
}
