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
 * @param refused requests longer than a replica can ever serve, which an engine answers with an error
 * @param missedTokens missed prompt tokens by {@link MissCause#ordinal}; they sum to the prompts admitted less what was
 *     cached
 * @param randomised whether any decision was drawn at random
 */
public record Outcome(
        RequestLog requests,
        SessionLog sessions,
        boolean timed,
        long startNanos,
        long endNanos,
        long[] busyNanos,
        int refused,
        long[] missedTokens,
        boolean randomised) {}
