package dev.warmroute.router.fleet;

import java.util.Objects;

/**
 * A replica as the runtime knows it at one moment, before the router's own memory is added.
 *
 * @param reason why it may not be chosen; empty when it may
 * @param cachedTokens prompt tokens of this request that are cached there, where the runtime can know; -1 when it cannot
 * @param capacityTokens tokens its KV cache holds; -1 when nobody says
 */
public record ReplicaStatus(
        String id, boolean eligible, String reason, Signals signals, int cachedTokens, long capacityTokens) {
    public ReplicaStatus {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(signals, "signals");
    }

    /** A replica that may be chosen. */
    public static ReplicaStatus up(String id, Signals signals) {
        return new ReplicaStatus(id, true, "", signals, -1, -1);
    }

    /** A replica that may not be chosen, and why. */
    public static ReplicaStatus down(String id, String reason, Signals signals) {
        return new ReplicaStatus(id, false, reason, signals, -1, -1);
    }

    public ReplicaStatus withSignals(Signals other) {
        return new ReplicaStatus(id, eligible, reason, other, cachedTokens, capacityTokens);
    }

    public ReplicaStatus withCachedTokens(int tokens) {
        return new ReplicaStatus(id, eligible, reason, signals, tokens, capacityTokens);
    }

    public ReplicaStatus withCapacityTokens(long tokens) {
        return new ReplicaStatus(id, eligible, reason, signals, cachedTokens, tokens);
    }
}
