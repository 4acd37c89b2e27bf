package dev.warmroute.router.figures;

import dev.warmroute.router.event.CountersDelta;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The part of prompt tokens that a replica's engines found in their prefix caches, by the engines' own counters. Not
 * thread-safe.
 */
final class PrefixHits {
    private static final String HITS = "prefix_cache_hits";
    private static final String QUERIES = "prefix_cache_queries";
    private static final int STEP_SECONDS = 10;
    private static final int STEPS = 30;

    private final Buckets buckets = new Buckets(STEP_SECONDS, STEPS, 2);
    /** Latest totals by engine; of the engine's present epoch. */
    private final Map<Integer, Totals> totals = new TreeMap<>();

    private record Totals(double hits, double queries) {}

    void add(CountersDelta delta) {
        buckets.add(delta.scrapedUs(), 0, Math.round(delta.deltas().getOrDefault(HITS, 0.0)));
        buckets.add(delta.scrapedUs(), 1, Math.round(delta.deltas().getOrDefault(QUERIES, 0.0)));
        if (delta.totals().containsKey(QUERIES)) {
            totals.put(
                    delta.engine(),
                    new Totals(
                            delta.totals().getOrDefault(HITS, 0.0),
                            delta.totals().get(QUERIES)));
        }
    }

    /** In the last five minutes, 0 to 1; empty when no token was looked up. */
    OptionalDouble lately(long nowUs) {
        return ratio(buckets.last(STEPS, 0, nowUs), buckets.last(STEPS, 1, nowUs));
    }

    /** Since the engines were started, 0 to 1; empty when no token was looked up. */
    OptionalDouble sinceStart() {
        return ratio(
                totals.values().stream().mapToDouble(Totals::hits).sum(),
                totals.values().stream().mapToDouble(Totals::queries).sum());
    }

    private static OptionalDouble ratio(double part, double whole) {
        return whole > 0 ? OptionalDouble.of(part / whole) : OptionalDouble.empty();
    }
}
