package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a trace keeps in use: distinct full blocks of all requests touched within a window of time before each moment. With a
 * window as long as a session may pause, it is what a cache has to hold for every turn to find its history.
 *
 * @param windowS the window, in seconds
 * @param turnCycleP95S 95th percentile of the time from one request of a session to the next, in seconds; empty without one
 * @param blockSize tokens a block
 * @param everyS time between two points, in seconds
 * @param p50Tokens median of the points, in tokens
 * @param p95Tokens their 95th percentile
 * @param peakTokens the largest
 * @param points over time
 * @param windows the same figures for other windows: how the working set grows with the time that is to be bridged
 */
public record WorkingSet(
        double windowS,
        @JsonProperty("turn_cycle_p95_s") OptionalDouble turnCycleP95S,
        int blockSize,
        double everyS,
        long p50Tokens,
        long p95Tokens,
        long peakTokens,
        List<Point> points,
        List<Window> windows) {
    public WorkingSet {
        points = List.copyOf(points);
        windows = List.copyOf(windows);
    }

    /**
     * The most that was in use between a moment and the next point.
     *
     * @param atS seconds from the first request
     * @param blocks distinct blocks
     * @param tokens tokens of these blocks
     */
    public record Point(double atS, long blocks, long tokens) {}

    /** Figures of one window. */
    public record Window(double windowS, long p50Tokens, long p95Tokens, long peakTokens) {}
}
