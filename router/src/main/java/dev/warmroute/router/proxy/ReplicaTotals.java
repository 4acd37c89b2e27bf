package dev.warmroute.router.proxy;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.proxy.usage.Usage;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What one replica has been given and has done since the router started. Thread-safe. */
public final class ReplicaTotals {
    private final Map<Kind, LongAdder> decisions = new EnumMap<>(Kind.class);
    private final LongAdder finished = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder promptTokens = new LongAdder();
    private final LongAdder cachedTokens = new LongAdder();
    private final LongAdder completionTokens = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    ReplicaTotals() {
        for (Kind kind : Kind.values()) {
            decisions.put(kind, new LongAdder());
        }
    }

    void decided(Kind kind) {
        decisions.get(kind).increment();
    }

    void finished(Usage usage) {
        finished.increment();
        tokens(usage);
    }

    void failed(Usage usage) {
        failed.increment();
        tokens(usage);
    }

    void abandoned(Usage usage) {
        abandoned.increment();
        tokens(usage);
    }

    private void tokens(Usage usage) {
        usage.promptTokens().ifPresent(promptTokens::add);
        usage.cachedTokens().ifPresent(tokens -> {
            cachedTokens.add(tokens);
            (tokens > 0 ? hits : misses).increment();
        });
        usage.completionTokens().ifPresent(completionTokens::add);
    }

    /** Decisions of this kind that chose the replica. */
    public long decisions(Kind kind) {
        return decisions.get(kind).sum();
    }

    /** Requests answered to their end. */
    public long finished() {
        return finished.sum();
    }

    /** Requests that the replica did not answer to their end. */
    public long failed() {
        return failed.sum();
    }

    /** Requests whose client left. */
    public long abandoned() {
        return abandoned.sum();
    }

    /** Prompt tokens of requests for which the engine reported them. */
    public long promptTokens() {
        return promptTokens.sum();
    }

    public long cachedTokens() {
        return cachedTokens.sum();
    }

    /** Requests of which the engine said that it found some of the prompt in its cache. */
    public long hits() {
        return hits.sum();
    }

    /** Requests of which the engine said that it found nothing. */
    public long misses() {
        return misses.sum();
    }

    public long completionTokens() {
        return completionTokens.sum();
    }
}
