package dev.warmroute.simulator.load;

import dev.warmroute.router.UserError;
import dev.warmroute.router.fleet.EngineSnapshot;
import java.util.List;
import java.util.TreeSet;

/**
 * What vLLM's metrics say of prefix caches.
 *
 * @param known whether a page had the counters
 * @param queries prompt tokens that were looked up since the start
 * @param hits those that were found
 * @param dtypes of the KV caches
 * @param kinds {@code prefix} where caching is on, {@code none} where it is off
 */
record CacheCounters(boolean known, long queries, long hits, TreeSet<String> dtypes, TreeSet<String> kinds) {
    static final CacheCounters NONE = new CacheCounters(false, 0, 0, new TreeSet<>(), new TreeSet<>());

    /**
     * Reads a page; one of something else than vLLM says nothing.
     *
     * @throws UserError if it is no page of metrics
     */
    static CacheCounters of(String url, String page) {
        List<EngineSnapshot> engines;
        try {
            engines = EngineSnapshot.of(page);
        } catch (IllegalArgumentException e) {
            throw new UserError(url + " is " + e.getMessage(), e);
        }
        CacheCounters sum = NONE;
        for (EngineSnapshot engine : engines) {
            Double queries = engine.counters().get("prefix_cache_queries");
            Double hits = engine.counters().get("prefix_cache_hits");
            if (queries != null && hits != null) {
                sum = sum.plus(new CacheCounters(
                        true,
                        queries.longValue(),
                        hits.longValue(),
                        label(engine.cacheConfig().getOrDefault("cache_dtype", "")),
                        label(caching(engine.cacheConfig().getOrDefault("enable_prefix_caching", "")))));
            }
        }
        return sum;
    }

    CacheCounters plus(CacheCounters other) {
        return new CacheCounters(
                known || other.known,
                queries + other.queries,
                hits + other.hits,
                union(dtypes, other.dtypes),
                union(kinds, other.kinds));
    }

    private static String caching(String flag) {
        return switch (flag) {
            case "True" -> "prefix";
            case "False" -> "none";
            default -> "";
        };
    }

    private static TreeSet<String> label(String text) {
        return text.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(text));
    }

    private static TreeSet<String> union(TreeSet<String> a, TreeSet<String> b) {
        TreeSet<String> union = new TreeSet<>(a);
        union.addAll(b);
        return union;
    }
}
