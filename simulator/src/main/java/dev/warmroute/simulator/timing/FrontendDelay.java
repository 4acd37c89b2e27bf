package dev.warmroute.simulator.timing;

/**
 * What a request waits for before the engine sees it and after it is done with its first token: HTTP, chat template,
 * tokeniser, block hashes, hand-over between processes, the first chunk of the answer. CPU work, paid for cached tokens
 * too; requests do not wait for each other in it.
 *
 * @param requestNanos nanoseconds a request
 * @param tokenPicos picoseconds a prompt token, cached or not
 */
public record FrontendDelay(long requestNanos, long tokenPicos) {
    public static final FrontendDelay NONE = new FrontendDelay(0, 0);

    public FrontendDelay {
        if (requestNanos < 0 || tokenPicos < 0) {
            throw new IllegalArgumentException(
                    "a delay must not be negative: " + requestNanos + " ns a request, " + tokenPicos + " ps a token");
        }
    }

    /** From milliseconds a request and milliseconds per thousand prompt tokens. */
    public static FrontendDelay ofMillis(double request, double thousandTokens) {
        return new FrontendDelay(Math.round(request * 1e6), Math.round(thousandTokens * 1e6));
    }

    /** Delay of a request in nanoseconds, rounded half up. */
    public long nanos(long promptTokens) {
        return requestNanos + RoundedRamp.toNanos(promptTokens * tokenPicos);
    }
}
