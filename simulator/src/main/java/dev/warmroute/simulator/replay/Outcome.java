package dev.warmroute.simulator.replay;

/**
 * What a replay found.
 *
 * @param requests every request
 * @param sessions every session
 * @param timed whether there was a clock; without one only routing and caching mean anything
 * @param startNanos first send
 * @param endNanos when the replay ended: its last byte, or where it was cut off
 * @param busyNanos for each replica, the time in which it had a request
 * @param samples what the replicas held over time; empty without a clock
 * @param refused requests longer than a replica can ever serve, which an engine answers with an error
 * @param countedFromNanos requests sent before are what led to where the figures begin, and count in none
 * @param randomised whether any decision was drawn at random
 * @param warmed what the replicas' warm prompts took
 */
public record Outcome(
        RequestLog requests,
        SessionLog sessions,
        boolean timed,
        long startNanos,
        long endNanos,
        long[] busyNanos,
        ReplicaSamples samples,
        int refused,
        long countedFromNanos,
        boolean randomised,
        WarmStart.Cost warmed) {

    /** The same, with figures of what was sent from a moment on. */
    public Outcome countedFrom(long nanos) {
        return new Outcome(
                requests,
                sessions,
                timed,
                startNanos,
                endNanos,
                busyNanos,
                samples,
                refused,
                nanos,
                randomised,
                warmed);
    }

    /** Whether a request was sent, and not before the figures begin. */
    public boolean counts(int request) {
        return requests.wasSent(request) && requests.sent(request) >= countedFromNanos;
    }

    /** When the figures begin. */
    public long figuresStartNanos() {
        return Math.max(startNanos, countedFromNanos);
    }

    /** Missed prompt tokens by {@link MissCause#ordinal}; they sum to the prompts admitted less what was cached. */
    public long[] missedTokens() {
        MissCause[] causes = MissCause.values();
        long[] tokens = new long[causes.length];
        for (int r = 0; r < requests.size(); r++) {
            if (!counts(r)) {
                continue;
            }
            for (MissCause cause : causes) {
                tokens[cause.ordinal()] += requests.missed(r, cause);
            }
        }
        return tokens;
    }
}
