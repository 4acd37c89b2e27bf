package dev.warmroute.router.state;

/**
 * What the engine said of a request that ended; -1 for what it did not say.
 *
 * @param promptTokens prompt tokens, cached ones included
 * @param cachedTokens those found in the prefix cache
 * @param outputTokens generated tokens
 */
public record Completion(long promptTokens, long cachedTokens, long outputTokens) {
    /** A request of which nothing is known, or that failed. */
    public static final Completion UNKNOWN = new Completion(-1, -1, -1);

    /** Tokens of the conversation up to the end of this answer; -1 when the engine did not say. */
    long contextTokens() {
        return promptTokens < 0 || outputTokens < 0 ? -1 : promptTokens + outputTokens;
    }
}
