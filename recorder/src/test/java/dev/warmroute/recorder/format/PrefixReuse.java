package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Reference for the figures that only depend on a trace: an unlimited cache of full blocks, at most floor((L - 1) / block)
 * of which a request may hit. A block is known by the token number of its first token, which is enough where the source's
 * ids are chained.
 */
final class PrefixReuse {
    private final int blockSize;
    private final Function<Turn, Object> cacheOf;
    private final Map<Object, LongSet> caches = new HashMap<>();
    long requests;
    long promptTokens;
    long cachedTokens;

    /** @param cacheOf requests with equal values share a cache */
    PrefixReuse(int blockSize, Function<Turn, Object> cacheOf) {
        this.blockSize = blockSize;
        this.cacheOf = cacheOf;
    }

    void request(Turn turn) {
        LongSet cache = caches.computeIfAbsent(cacheOf.apply(turn), c -> new LongSet());
        long[] starts = blockStarts(turn.prompt(), blockSize);
        int usable = (turn.prompt().tokens() - 1) / blockSize;
        int hit = 0;
        while (hit < usable && cache.contains(starts[hit])) {
            hit++;
        }
        for (long start : starts) {
            cache.add(start);
        }
        requests++;
        promptTokens += turn.prompt().tokens();
        cachedTokens += (long) hit * blockSize;
    }

    /** Empties a cache. */
    void clear(Object cache) {
        caches.remove(cache);
    }

    double hit() {
        return 100.0 * cachedTokens / promptTokens;
    }

    /** First token of each full block. */
    static long[] blockStarts(Prompt prompt, int blockSize) {
        long[] starts = new long[prompt.tokens() / blockSize];
        int span = 0;
        int inSpan = 0;
        for (int i = 0; i < starts.length; i++) {
            starts[i] = prompt.start(span) + inSpan;
            int left = blockSize;
            while (left > 0) {
                int step = Math.min(left, prompt.length(span) - inSpan);
                left -= step;
                inSpan += step;
                if (inSpan == prompt.length(span)) {
                    span++;
                    inSpan = 0;
                }
            }
        }
        return starts;
    }
}
