package dev.warmroute.router.fleet;

import java.util.Objects;

/**
 * A replica as the runtime knows it at one moment, before the router's own memory is added.
 *
 * @param reason why it may not be chosen; empty when it may
 * @param predictedCachedTokens prompt tokens believed to be cached there; -1 when nobody predicts
 */
public record ReplicaStatus(String id, boolean eligible, String reason, Signals signals, int predictedCachedTokens) {
    public ReplicaStatus {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(signals, "signals");
    }

    /** A replica that may be chosen. */
    public static ReplicaStatus up(String id, Signals signals) {
        return new ReplicaStatus(id, true, "", signals, -1);
    }

    /** A replica that may not be chosen, and why. */
    public static ReplicaStatus down(String id, String reason, Signals signals) {
        return new ReplicaStatus(id, false, reason, signals, -1);
    }
}
