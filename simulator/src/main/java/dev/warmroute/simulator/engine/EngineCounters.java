package dev.warmroute.simulator.engine;

/** What an engine counts since it was made; nothing here ever falls. Read-only view, updated in place. */
public final class EngineCounters {
    long queries;
    long hits;
    long externalQueries;
    long externalHits;
    long preemptions;
    long promptTokens;
    long promptTokensCached;
    long generatedTokens;
    long finished;
    long aborted;
    long steps;
    long scheduledTokens;

    EngineCounters() {}

    /** {@code vllm:prefix_cache_queries}, in the unit and at the moment of the engine's version. */
    public long queries() {
        return queries;
    }

    /** {@code vllm:prefix_cache_hits}. */
    public long hits() {
        return hits;
    }

    /**
     * {@code vllm:external_prefix_cache_queries}: tokens that were not found on the card, of requests that are admitted or
     * begin to load; 0 without host memory.
     */
    public long externalQueries() {
        return externalQueries;
    }

    /** {@code vllm:external_prefix_cache_hits}: of those, found in host memory. */
    public long externalHits() {
        return externalHits;
    }

    /** Preemptions as they happen ({@code vllm:num_preemptions} shows them when the request yields output again). */
    public long preemptions() {
        return preemptions;
    }

    /** {@code vllm:prompt_tokens}: whole prompts, counted when their first output token is known. */
    public long promptTokens() {
        return promptTokens;
    }

    /** {@code vllm:prompt_tokens_cached}: cached tokens of the first admission, counted at the first output token. */
    public long promptTokensCached() {
        return promptTokensCached;
    }

    /** {@code vllm:generation_tokens}. */
    public long generatedTokens() {
        return generatedTokens;
    }

    public long finished() {
        return finished;
    }

    public long aborted() {
        return aborted;
    }

    /** Steps that computed something. */
    public long steps() {
        return steps;
    }

    /** Tokens computed, recomputation after preemptions included. */
    public long scheduledTokens() {
        return scheduledTokens;
    }
}
