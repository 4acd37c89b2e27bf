package dev.warmroute.router.figures;

import java.util.OptionalDouble;

/**
 * One replica in figures.
 *
 * @param hitsLately part of the prompt tokens found in the prefix cache in the last five minutes, 0 to 1, by the engine's
 *     counters
 * @param hitsSinceStart likewise since the engine was started
 * @param cachedPerSecond prompt tokens per second found in the cache, over the last minute, as the engine said request by
 *     request
 * @param computedPerSecond prompt tokens per second that were computed; those of which the engine said nothing are among them
 * @param ttftP95Seconds time from a request's arrival to the first byte of its answer that 95 % were within in the last five
 *     minutes
 * @param contextTokens mean tokens of the conversations at home there
 * @param sharedTokens of these, tokens at the beginning that conversations share
 */
public record ReplicaFigures(
        OptionalDouble hitsLately,
        OptionalDouble hitsSinceStart,
        double cachedPerSecond,
        double computedPerSecond,
        OptionalDouble ttftP95Seconds,
        OptionalDouble contextTokens,
        double sharedTokens) {
    /** Of a replica that nothing was heard of. */
    static final ReplicaFigures NONE = new ReplicaFigures(
            OptionalDouble.empty(), OptionalDouble.empty(), 0, 0, OptionalDouble.empty(), OptionalDouble.empty(), 0);

    /** Tokens of a conversation besides the shared beginning; empty when nothing is known, or nothing is left. */
    private OptionalDouble ownTokens() {
        return contextTokens.isPresent() && contextTokens.getAsDouble() > sharedTokens
                ? OptionalDouble.of(contextTokens.getAsDouble() - sharedTokens)
                : OptionalDouble.empty();
    }

    /** Tokens that so many conversations hold: the shared beginning once, and what each has besides. */
    public OptionalDouble workingSetTokens(int conversations) {
        if (conversations == 0) {
            return OptionalDouble.of(0);
        }
        OptionalDouble own = ownTokens();
        return own.isPresent()
                ? OptionalDouble.of(sharedTokens + conversations * own.getAsDouble())
                : OptionalDouble.empty();
    }

    /**
     * How many more conversations fit: floor((C - S) / w) less those there are, with C the cache's tokens, S the shared
     * beginning and w what a conversation has besides. Negative when there are too many.
     */
    public OptionalDouble headroom(long capacityTokens, int conversations) {
        OptionalDouble own = ownTokens();
        return own.isPresent() && capacityTokens > 0
                ? OptionalDouble.of(
                        Math.max(0, Math.floor((capacityTokens - sharedTokens) / own.getAsDouble())) - conversations)
                : OptionalDouble.empty();
    }
}
