package dev.warmroute.export.run;

/**
 * A session of a replay, its agents included.
 *
 * @param session its name, or a number
 * @param turns requests that were sent
 * @param contextFirst tokens of its first prompt
 * @param contextMost tokens of its longest prompt
 * @param replicasVisited different replicas that served it
 * @param movedTurns turns that went elsewhere than the one before
 * @param againTokens prompt tokens computed although a replica had had them
 * @param movedTokens of these, because a turn went elsewhere
 * @param againS what computing all of them takes, with nothing beside it, in seconds
 */
public record SessionCost(
        String session,
        int turns,
        long contextFirst,
        long contextMost,
        int replicasVisited,
        int movedTurns,
        long againTokens,
        long movedTokens,
        double againS) {
    /** Tokens that its prompts gained. */
    public long grown() {
        return contextMost - contextFirst;
    }
}
