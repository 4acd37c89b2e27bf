package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.config.RouterConfig.Limits;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.proxy.HoldingQueue.Held;
import dev.warmroute.router.proxy.HoldingQueue.Waiter;
import dev.warmroute.router.proxy.PolicyHistory.InForce;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.ModelRouter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One model's routing, shared by all event loops: deciding takes the lock for a microsecond or two, and reserves the place in
 * the same breath.
 */
final class ModelRoute {
    private static final long NEVER = Long.MIN_VALUE;
    /** Replicas come up and go down without a word to those who wait, so that these are looked at so often in any case. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A conversation that there is not. */
    private static final String NOBODY = "nobody";

    private static final long MIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Replaced as a whole, under the lock. */
    private volatile List<Seat> seats = List.of();

    private final SignalsSource signals;
    private final RouterClock clock;
    private final ModelRouter router;
    private final PolicyHistory policies;
    private volatile Needs needs;
    private final KeptHomes homes;
    private final HoldingQueue waiting = new HoldingQueue();
    private final int maxHeld;
    private final long maxHoldNanos;
    private long nextLook = NEVER;

    ModelRoute(ModelConfig config, RouterServices services, Limits limits) {
        this.signals = services.signals();
        this.clock = services.clock();
        this.maxHeld = limits.maxHeld();
        this.maxHoldNanos = limits.maxHold().toNanos();
        RoutingPolicy policy = InForce.policy(config);
        this.router = new ModelRouter(policy);
        this.policies = new PolicyHistory(InForce.of(config, Optional.empty()));
        this.needs = policy.needs();
        this.homes = new KeptHomes(services.instance(), config.name(), router, services.events(), clock);
    }

    /**
     * A decision with what its event needs besides.
     *
     * @param replica the one chosen, if any
     * @param held what the request waits as, when it is held
     * @param decidedAt on the router's clock
     * @param tookNanos time that deciding took, waiting for the lock not included
     */
    record Routed(
            ModelRouter.Decision decision,
            Optional<Replica> replica,
            Optional<Held> held,
            PolicyIdentity policy,
            long decidedAt,
            long tookNanos) {}

    /**
     * Decides, and reserves the place; or holds the request, until its waiter is told.
     *
     * @param prompt what the request says, for policies that ask; see {@link #readsPrompts}
     * @param failed the attempt before, which ends here: its place is given back in the same breath
     * @param pinned replica that the client named
     * @param tell publishes the decision before anything else can happen to this model, so that the events' sequence is the
     *     order of what happened
     * @param waiter who is told when a held request is placed
     */
    synchronized Routed route(
            RoutingRequest request,
            PromptChain prompt,
            Optional<Routed> failed,
            Optional<Replica> pinned,
            Consumer<Routed> tell,
            Waiter waiter) {
        long now = clock.nanos();
        failed.ifPresent(f -> router.release(f.decision().ticket(), Completion.UNKNOWN, now));
        List<Seat> asked = seats;
        List<ReplicaStatus> fleet = fleet(asked, request, failed, now);
        int pin = pinned.map(p -> SeatedFleet.index(asked, p)).orElse(FleetView.NONE);
        ModelRouter.Decision decision = pin == FleetView.NONE
                ? router.decide(request, prompt, fleet, maxHeld > 0, now)
                : router.pin(request, prompt, fleet, pin, now);
        Optional<Held> held = decision.placement().held()
                ? Optional.of(waiting.add(decision.ticket(), waiter, tell, failed))
                : Optional.empty();
        Routed routed = routed(decision, asked, held, now);
        tell.accept(routed);
        homes.decided(decision, now);
        if (waiting.size() > maxHeld) {
            held.ifPresent(this::forget);
        } else if (held.isPresent()) {
            lookLater(now);
        }
        return routed;
    }

    private List<ReplicaStatus> fleet(List<Seat> asked, RoutingRequest request, Optional<Routed> failed, long now) {
        String home = SeatedFleet.anyDraining(asked) ? router.sessions().home(request.session(), now) : "";
        return SeatedFleet.of(asked, home, failed.flatMap(Routed::replica), signals, now);
    }

    private Routed routed(ModelRouter.Decision decision, List<Seat> asked, Optional<Held> held, long began) {
        Optional<Replica> chosen = decision.placement().chosen()
                ? Optional.of(asked.get(decision.placement().replica()).replica())
                : Optional.empty();
        chosen.ifPresent(r -> r.health().chosen(began));
        return new Routed(decision, chosen, held, policies.now().policy(), began, clock.nanos() - began);
    }

    /** Asks again about the requests that are held, in their order, until one has to wait on. */
    private void lookAtHeld() {
        long now = clock.nanos();
        for (var first = router.firstHeld(); first.isPresent(); first = router.firstHeld()) {
            Held held = waiting.of(first.get().ticket());
            List<Seat> asked = seats;
            boolean expired = now - first.get().since() >= maxHoldNanos;
            Optional<ModelRouter.Decision> decision =
                    router.again(first.get(), fleet(asked, first.get().request(), held.failed(), now), expired, now);
            if (decision.isEmpty()) {
                lookLater(now);
                return;
            }
            waiting.placed(held, routed(decision.get(), asked, Optional.empty(), now));
            homes.decided(decision.get(), now);
        }
    }

    /** Has the first in line looked at again when its policy wants that, when it may be held no longer, and often enough. */
    private void lookLater(long now) {
        router.firstHeld().ifPresent(first -> {
            long at = Math.min(Math.min(router.askAgainAt(now), first.since() + maxHoldNanos), now + LOOK_NANOS);
            if (nextLook == NEVER || at < nextLook) {
                nextLook = at;
                waiting.of(first.ticket()).waiter().later(() -> lookDue(at), Math.max(MIN_LOOK_NANOS, at - now));
            }
        });
    }

    private synchronized void lookDue(long at) {
        if (nextLook == at) {
            nextLook = NEVER;
            lookAtHeld();
        }
    }

    private void forget(Held held) {
        router.drop(held.ticket());
        waiting.remove(held);
    }

    /** Whether a request that was to be held is waiting; if not, the queue was full. */
    synchronized boolean waits(Held held) {
        return waiting.of(held.ticket()) == held || held.placed().isPresent();
    }

    /**
     * A held request ends before its exchange knows where it would have gone.
     *
     * @param tell publishes its end before anything else can happen to this model
     */
    synchronized void leave(Held held, Runnable tell) {
        held.placed()
                .filter(r -> r.replica().isPresent())
                .ifPresentOrElse(
                        r -> router.release(r.decision().ticket(), Completion.UNKNOWN, clock.nanos()),
                        () -> forget(held));
        tell.run();
        lookAtHeld();
    }

    /** Requests that are held. */
    synchronized int held() {
        return waiting.size();
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
        lookAtHeld();
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
        lookAtHeld();
    }

    /** Whether the policy asks what a request says before it decides. */
    boolean readsPrompts() {
        return needs.prompt();
    }

    /** The replica that the policy would choose now for a new conversation; empty when what it says makes no difference. */
    synchronized Optional<Replica> wouldPlace(PromptChain prompt) {
        if (!needs.prompt()) {
            return Optional.empty();
        }
        long now = clock.nanos();
        List<Seat> asked = seats;
        RoutingRequest request = new RoutingRequest(NOBODY, prompt.tokens(prompt.length()), 0);
        Placement placement = router.wouldChoose(request, prompt, fleet(asked, request, Optional.empty(), now), now);
        return placement.chosen() ? Optional.of(asked.get(placement.replica()).replica()) : Optional.empty();
    }

    /** Takes note that a prompt is in a replica's cache; of one that has been removed meanwhile, nothing is remembered. */
    synchronized void cached(String replica, PromptChain prompt) {
        if (seats.stream().anyMatch(seat -> seat.replica().id().equals(replica))) {
            router.cached(replica, prompt, clock.nanos());
        }
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

    /** What decides. */
    InForce inForce() {
        return policies.now();
    }

    /**
     * Goes over to another policy or affinity, from the next decision on. What is remembered stays.
     *
     * @param expected what it is to replace; see {@link PolicyHistory#require}
     * @param change from the present configuration to the next; may refuse with a {@link dev.warmroute.router.UserError}
     * @param checkHash of the check that the next one has passed, when it came through the gate
     * @param tell publishes what is left and what is in force now, before anything else can happen to this model; not called
     *     when the policy that decides stays what it was
     * @return whether anything differs from what was in force
     */
    synchronized boolean change(
            Optional<String> expected,
            UnaryOperator<ModelConfig> change,
            Optional<String> checkHash,
            BiConsumer<InForce, InForce> tell) {
        policies.require(expected);
        InForce left = policies.now();
        boolean changed = policies.goOn(left.then(change.apply(left.config()), checkHash));
        decide(left, tell);
        return changed;
    }

    /** Goes back from what is expected to be in force to what was before the last change; returns whether there was one. */
    synchronized boolean rollBack(String expected, BiConsumer<InForce, InForce> tell) {
        policies.require(Optional.of(expected));
        InForce left = policies.now();
        boolean back = policies.goBack();
        decide(left, tell);
        return back;
    }

    /** Goes over to the policy that is in force, if it is not the one that decides already. */
    private void decide(InForce left, BiConsumer<InForce, InForce> tell) {
        if (policies.now().policy().equals(left.policy())) {
            return;
        }
        RoutingPolicy policy = InForce.policy(config());
        router.policy(policy);
        needs = policy.needs();
        homes.policyChanged();
        tell.accept(left, policies.now());
        lookAtHeld();
    }

    /** The policy that would decide after a change; refused as the change would be, and nothing is changed. */
    PolicyIdentity policyAfter(Optional<String> expected, UnaryOperator<ModelConfig> change) {
        policies.require(expected);
        return InForce.policy(change.apply(config())).spec().identity();
    }

    /** What going back would bring. */
    synchronized Optional<InForce> previous() {
        return policies.previous();
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
        return policies.now().config();
    }

    String name() {
        return config().name();
    }

    long capacityTokens(Replica replica) {
        return signals.capacityTokens(replica.id());
    }

    Signals signals(Replica replica) {
        return signals.signals(replica.id(), clock.nanos());
    }
}
