package dev.warmroute.export.chart;

import java.util.Objects;

/**
 * Where a chart's figures come from; printed under it.
 *
 * @param trace the trace, with its hash and offsets where it has them, in words
 * @param interval what the intervals are, in words; empty when the figures have none
 */
public record Source(String trace, String interval) {
    public Source {
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(interval, "interval");
        if (trace.isBlank()) {
            throw new IllegalArgumentException("a chart must name its trace");
        }
    }

    /** One line. */
    public String text() {
        return interval.isEmpty() ? "Source: " + trace + "." : "Source: " + trace + ". Intervals: " + interval + ".";
    }
}
