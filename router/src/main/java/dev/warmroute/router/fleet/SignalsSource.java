package dev.warmroute.router.fleet;

/** What the replicas' metrics last said. May be asked from any thread. */
@FunctionalInterface
public interface SignalsSource {
    /** Nobody scrapes: every replica's signals are unknown. */
    SignalsSource NONE = (replica, nowNanos) -> Signals.NONE;

    /**
     * The latest signals of a replica, with their age; {@link Signals#NONE} before its first scrape. While scrapes fail the
     * last ones stay and grow old.
     *
     * @param replica id of the replica
     * @param nowNanos now, in nanoseconds on the clock that the scrapes were timed with
     */
    Signals signals(String replica, long nowNanos);

    /** Tokens that a replica's KV cache holds, as its engines report; -1 when they do not. */
    default long capacityTokens(String replica) {
        return -1;
    }
}
