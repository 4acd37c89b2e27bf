package dev.warmroute.router.fleet;

import java.util.Map;

/**
 * One replica as a policy sees it.
 *
 * @param eligible whether it may be chosen
 * @param reason why not; empty when it may
 * @param inFlight requests this router has sent there that have not ended
 * @param liveSessions conversations at home there that spoke recently
 * @param predictedCachedTokens prompt tokens believed to be cached there; -1 when nobody predicts
 * @param inputs further values by name that some policies read
 */
public record ReplicaView(
        String id,
        boolean eligible,
        String reason,
        int inFlight,
        int liveSessions,
        Signals signals,
        int predictedCachedTokens,
        Map<String, Double> inputs) {}
