package dev.warmroute.simulator.capacity;

import java.util.List;

/**
 * Hits that one LRU cache of any capacity would have had on a trace, from the reuse distances of its blocks.
 *
 * @param blockReferences full blocks referred to
 * @param distinctBlocks different ones among them
 * @param curve points by growing capacity; the last one is without limit
 */
public record ReuseCurve(long blockReferences, long distinctBlocks, List<Point> curve) {
    public ReuseCurve {
        curve = List.copyOf(curve);
    }

    /**
     * @param capacityTokens size of the cache in tokens
     * @param hitPct prompt tokens found in it, in percent of all prompt tokens
     */
    public record Point(long capacityTokens, double hitPct) {}
}
