package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.state.ModelRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One model's routing, shared by all event loops: deciding takes the lock for a microsecond or two, and reserves the place in
 * the same breath.
 */
final class ModelRoute {
    /** No replica is excluded or named. */
    static final int NONE = -1;

    private final ModelConfig config;
    private final List<Replica> replicas;
    private final SignalsSource signals;
    private final RouterClock clock;
    private final ModelRouter router;
    private PolicyIdentity identity;

    ModelRoute(ModelConfig config, List<Replica> replicas, SignalsSource signals, RouterClock clock) {
        this.config = config;
        this.replicas = List.copyOf(replicas);
        this.signals = signals;
        this.clock = clock;
        RoutingPolicy policy = policy(config);
        this.router = new ModelRouter(policy);
        this.identity = policy.spec().identity();
    }

    /** With affinity off, a policy that lives on it is replaced by the plain balance of load. */
    private static RoutingPolicy policy(ModelConfig config) {
        RoutingPolicy policy = Policies.create(config.policy(), config.policyParameters(), config.maxNumSeqs());
        return config.affinity() || !policy.needsSession()
                ? policy
                : Policies.create(Policies.LEAST_IN_FLIGHT.policyName(), Map.of(), config.maxNumSeqs());
    }

    /**
     * A decision with what its event needs besides.
     *
     * @param decidedAt on the router's clock
     * @param tookNanos time that deciding took, waiting for the lock not included
     */
    record Routed(ModelRouter.Decision decision, PolicyIdentity policy, long decidedAt, long tookNanos) {
        boolean chosen() {
            return decision.placement().chosen();
        }

        int replica() {
            return decision.placement().replica();
        }
    }

    /**
     * Decides, and reserves the place.
     *
     * @param excluded replica that failed this request already, whose place is given back in the same breath, or
     *     {@link #NONE}
     * @param pinned replica that the client named, or {@link #NONE}
     * @param tell publishes the decision before anything else can happen to this model, so that the events' sequence is the
     *     order of what happened
     */
    synchronized Routed route(RoutingRequest request, int excluded, int pinned, Consumer<Routed> tell) {
        if (excluded != NONE) {
            router.release(replicas.get(excluded).id());
        }
        long now = clock.nanos();
        List<ReplicaStatus> fleet = new ArrayList<>(replicas.size());
        for (int i = 0; i < replicas.size(); i++) {
            Replica r = replicas.get(i);
            Signals s = signals.signals(r.id(), now);
            String reason = i == excluded ? "failed_this_request" : r.health().reason(now);
            fleet.add(reason.isEmpty() ? ReplicaStatus.up(r.id(), s) : ReplicaStatus.down(r.id(), reason, s));
        }
        ModelRouter.Decision decision =
                pinned == NONE ? router.decide(request, fleet, now) : router.pin(request, fleet, pinned, now);
        if (decision.placement().chosen()) {
            replicas.get(decision.placement().replica()).health().chosen(now);
        }
        Routed routed = new Routed(decision, identity, now, clock.nanos() - now);
        tell.accept(routed);
        return routed;
    }

    /**
     * Gives a place back.
     *
     * @param tell publishes the end of the request before anything else can happen to this model
     */
    synchronized void release(Replica replica, Runnable tell) {
        router.release(replica.id());
        tell.run();
    }

    /** Forgets the conversations at home on a replica whose cache is gone; returns how many there were. */
    synchronized int forget(Replica replica) {
        return router.sessions().forgetReplica(replica.id());
    }

    synchronized int inFlight(Replica replica) {
        return router.inFlight(replica.id());
    }

    synchronized int liveSessions(Replica replica) {
        return router.sessions().live(replica.id());
    }

    synchronized PolicyIdentity policy() {
        return identity;
    }

    /** Whether any replica may be chosen. */
    boolean anyUp(long now) {
        return anyUp(now, NONE) != NONE;
    }

    /** Index of any replica that may be chosen, but not {@code excluded}, or {@link #NONE}; nothing is decided or reserved. */
    int anyUp(long now, int excluded) {
        for (int i = 0; i < replicas.size(); i++) {
            if (i != excluded && replicas.get(i).health().reason(now).isEmpty()) {
                return i;
            }
        }
        return NONE;
    }

    ModelConfig config() {
        return config;
    }

    String name() {
        return config.name();
    }

    List<Replica> replicas() {
        return replicas;
    }

    Signals signals(Replica replica) {
        return signals.signals(replica.id(), clock.nanos());
    }
}
