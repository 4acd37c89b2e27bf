package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.ModelRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One model's routing, shared by all event loops: deciding takes the lock for a microsecond or two, and reserves the place in
 * the same breath.
 */
final class ModelRoute {
    private volatile ModelConfig config;
    /** Replaced as a whole, under the lock. */
    private volatile List<Seat> seats = List.of();
    private final SignalsSource signals;
    private final RouterClock clock;
    private final ModelRouter router;
    private PolicyIdentity identity;
    private volatile Needs needs;
    private final KeptHomes homes;

    ModelRoute(ModelConfig config, RouterServices services) {
        this.config = config;
        this.signals = services.signals();
        this.clock = services.clock();
        RoutingPolicy policy = policy(config);
        this.router = new ModelRouter(policy);
        this.identity = policy.spec().identity();
        this.needs = policy.needs();
        this.homes = new KeptHomes(services.instance(), config.name(), router, services.events(), clock);
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
     * @param replica the one chosen, if any
     * @param decidedAt on the router's clock
     * @param tookNanos time that deciding took, waiting for the lock not included
     */
    record Routed(
            ModelRouter.Decision decision, Optional<Replica> replica, PolicyIdentity policy, long decidedAt, long tookNanos) {}

    /**
     * Decides, and reserves the place.
     *
     * @param prompt what the request says, for policies that ask; see {@link #readsPrompts}
     * @param failed the attempt before, which ends here: its place is given back in the same breath
     * @param pinned replica that the client named
     * @param tell publishes the decision before anything else can happen to this model, so that the events' sequence is the
     *     order of what happened
     */
    synchronized Routed route(
            RoutingRequest request,
            PromptChain prompt,
            Optional<Routed> failed,
            Optional<Replica> pinned,
            Consumer<Routed> tell) {
        failed.ifPresent(f -> router.release(f.decision().ticket(), Completion.UNKNOWN, clock.nanos()));
        long now = clock.nanos();
        List<Seat> asked = seats;
        List<ReplicaStatus> fleet = new ArrayList<>(asked.size());
        String home = anyDraining(asked) ? router.sessions().home(request.session(), now) : "";
        int pin = FleetView.NONE;
        for (Seat seat : asked) {
            Replica r = seat.replica();
            Signals s = signals.signals(r.id(), now);
            if (pinned.isPresent() && pinned.get() == r) {
                pin = fleet.size();
            }
            boolean again = failed.isPresent() && failed.get().replica().orElseThrow() == r;
            String reason = again ? "failed_this_request" : seat.reason(now, home.equals(r.id()));
            ReplicaStatus status = reason.isEmpty() ? ReplicaStatus.up(r.id(), s) : ReplicaStatus.down(r.id(), reason, s);
            fleet.add(status.withCapacityTokens(signals.capacityTokens(r.id())));
        }
        ModelRouter.Decision decision = pin == FleetView.NONE
                ? router.decide(request, prompt, fleet, false, now)
                : router.pin(request, prompt, fleet, pin, now);
        Optional<Replica> chosen = decision.placement().chosen()
                ? Optional.of(asked.get(decision.placement().replica()).replica())
                : Optional.empty();
        chosen.ifPresent(r -> r.health().chosen(now));
        Routed routed = new Routed(decision, chosen, identity, now, clock.nanos() - now);
        tell.accept(routed);
        homes.decided(decision, now);
        return routed;
    }

    private static boolean anyDraining(List<Seat> seats) {
        for (Seat seat : seats) {
            if (seat.member().draining()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes other members from the next decision on. Conversations at home on a replica that is gone have no home any more;
     * its running answers end as if nothing had happened.
     */
    synchronized void seats(List<Seat> next) {
        for (Seat old : seats) {
            if (next.stream().noneMatch(s -> s.replica() == old.replica())) {
                router.forgetReplica(old.replica().id());
            }
        }
        seats = List.copyOf(next);
    }

    /** Whether a replica is one of this model's. */
    boolean serves(Replica replica) {
        return seats.stream().anyMatch(s -> s.replica() == replica);
    }

    List<Seat> seats() {
        return seats;
    }

    /** Takes note that a request begins to be answered, if the policy wants to know. */
    void answering(Routed routed) {
        if (needs.firstByte()) {
            answeringNow(routed);
        }
    }

    private synchronized void answeringNow(Routed routed) {
        router.answering(routed.decision().ticket(), clock.nanos());
    }

    /**
     * Gives a place back.
     *
     * @param completion what the replica said of the request
     * @param tell publishes the end of the request before anything else can happen to this model
     */
    synchronized void release(Routed routed, Completion completion, Runnable tell) {
        router.release(routed.decision().ticket(), completion, clock.nanos());
        tell.run();
    }

    /** Whether the policy asks what a request says before it decides. */
    boolean readsPrompts() {
        return needs.prompt();
    }

    /** Does something with the homes of this model while nothing is decided. */
    synchronized void withHomes(Consumer<KeptHomes> task) {
        task.accept(homes);
    }

    /** Forgets the conversations at home on a replica whose cache is gone; returns how many there were. */
    synchronized int forget(Replica replica) {
        return router.forgetReplica(replica.id());
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

    /**
     * Goes over to another policy or affinity, from the next decision on. What is remembered stays.
     *
     * @param change from the present configuration to the next; may refuse with a {@link dev.warmroute.router.UserError}
     * @param tell publishes the policy before and after, before anything else can happen to this model; not called when the
     *     policy stays what it was
     */
    synchronized void change(UnaryOperator<ModelConfig> change, BiConsumer<PolicyIdentity, PolicyIdentity> tell) {
        ModelConfig next = change.apply(config);
        RoutingPolicy policy = policy(next);
        PolicyIdentity before = identity;
        config = next;
        identity = policy.spec().identity();
        if (!identity.equals(before)) {
            router.policy(policy);
            needs = policy.needs();
            homes.policyChanged();
            tell.accept(before, identity);
        }
    }

    /** Any replica that may be chosen, but not the one that failed already; nothing is decided or reserved. */
    Optional<Replica> anyUp(long now, Optional<Replica> failed) {
        for (Seat seat : seats) {
            if (seat.reason(now, false).isEmpty() && !(failed.isPresent() && failed.get() == seat.replica())) {
                return Optional.of(seat.replica());
            }
        }
        return Optional.empty();
    }

    ModelConfig config() {
        return config;
    }

    String name() {
        return config.name();
    }

    long capacityTokens(Replica replica) {
        return signals.capacityTokens(replica.id());
    }

    Signals signals(Replica replica) {
        return signals.signals(replica.id(), clock.nanos());
    }
}
