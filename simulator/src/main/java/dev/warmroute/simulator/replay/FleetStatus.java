package dev.warmroute.simulator.replay;

import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.simulator.engine.EngineConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** What the router is told of simulated replicas with every request: made anew only as far as the policy reads it. */
final class FleetStatus {
    private final List<ReplicaStatus> unread = new ArrayList<>();
    private final ReplicaStatus[] now;
    private final List<ReplicaStatus> current;
    private final boolean signals;
    private final boolean cache;

    FleetStatus(int replicas, EngineConfig engine, Needs needs) {
        long capacity = engine.unlimited() ? -1 : (long) engine.usableBlocks() * engine.blockSize();
        for (int r = 0; r < replicas; r++) {
            unread.add(ReplicaStatus.up(id(r), Signals.NONE).withCapacityTokens(capacity));
        }
        now = unread.toArray(ReplicaStatus[]::new);
        current = Arrays.asList(now);
        signals = needs.has(Input.SIGNALS) || needs.has(Input.SENT) || needs.has(Input.SENT_TOKENS);
        cache = needs.has(Input.TRUE_CACHE);
    }

    /** Name of a replica. */
    static String id(int replica) {
        return "r" + replica;
    }

    /**
     * The fleet at one moment, valid until this is called again.
     *
     * @param lastRead what the last scrape said of a replica, as old as it is now
     * @param cachedTokens the request's prompt tokens that a replica has cached
     */
    List<ReplicaStatus> of(IntFunction<Signals> lastRead, IntUnaryOperator cachedTokens) {
        if (signals || cache) {
            for (int r = 0; r < now.length; r++) {
                ReplicaStatus status = unread.get(r);
                status = signals ? status.withSignals(lastRead.apply(r)) : status;
                now[r] = cache ? status.withCachedTokens(cachedTokens.applyAsInt(r)) : status;
            }
        }
        return current;
    }
}
