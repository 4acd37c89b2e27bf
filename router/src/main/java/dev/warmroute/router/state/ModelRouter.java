package dev.warmroute.router.state;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.HeldRequests.Held;
import java.util.List;
import java.util.Optional;

/**
 * One model's routing: a policy and the memory it reads. A request is {@link #decide decided} once an attempt; a decision that
 * chose a replica is {@link #release released} exactly once, under its ticket. Not thread-safe; the clock is the caller's and
 * must not go backwards.
 */
public final class ModelRouter {
    /** Some 8 MB; beyond it the longest unused conversation is placed anew. */
    private static final int MAX_SESSIONS = 32_768;

    private RoutingPolicy policy;
    private final Sessions sessions;
    private final Memory memory;
    private final HeldRequests held = new HeldRequests();

    public ModelRouter(RoutingPolicy policy) {
        this.sessions = new Sessions(0, 0, MAX_SESSIONS); // the policy says how long
        this.memory = new Memory(sessions);
        policy(policy);
    }

    public RoutingPolicy policy() {
        return policy;
    }

    /** Replaces the policy; what is remembered stays, as far as the new one needs it. */
    public void policy(RoutingPolicy other) {
        policy = other;
        memory.serve(other.needs());
    }

    public Sessions sessions() {
        return sessions;
    }

    public int inFlight(String replica) {
        return memory.inFlight(replica);
    }

    /**
     * A decision and the view it was taken in.
     *
     * @param ticket what the request is known by until it is released
     */
    public record Decision(long ticket, RoutingRequest request, FleetView view, Placement placement) {
        /** Id of the chosen replica, or the empty string. */
        public String replica() {
            return placement.chosen() ? view.replica(placement.replica()).id() : "";
        }

        /** Id of the conversation's home before the decision, or the empty string. */
        public String homeBefore() {
            return view.hasHome() ? view.replica(view.home()).id() : "";
        }

        /** Id of the conversation's home after the decision, or the empty string. */
        public String homeAfter() {
            return placement.home() == FleetView.NONE
                    ? ""
                    : view.replica(placement.home()).id();
        }
    }

    /** Decides about a request of whose prompt nothing is known; see {@link #decide(RoutingRequest, PromptChain, List, long)}. */
    public Decision decide(RoutingRequest request, List<ReplicaStatus> fleet, long now) {
        return decide(request, PromptChain.NOTHING, fleet, now);
    }

    /**
     * Decides where a request goes, and remembers it: the replica has one more request in flight, the conversation its home.
     *
     * @param prompt fingerprint of what it says, for policies that {@link dev.warmroute.router.policy.Needs#prompt need} it
     * @param fleet every replica of the model, in configuration order
     * @param now nanoseconds on the caller's clock
     */
    public Decision decide(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, long now) {
        return decide(request, prompt, fleet, true, now);
    }

    /**
     * Decides where a request goes, as {@link #decide(RoutingRequest, PromptChain, List, long)} does.
     *
     * @param mayHold whether it may be held; if it is, it waits until {@link #again} places it or it is {@link #drop dropped}
     */
    public Decision decide(
            RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, boolean mayHold, long now) {
        memory.spoke(request, now);
        FleetView view =
                memory.view(request, prompt, fleet, new Memory.Waiting(held.size(), held.size(), 0, !mayHold), now);
        Decision decision = remembered(request, prompt, view, policy.choose(request, view), now);
        if (decision.placement().held()) {
            held.add(new Held(decision.ticket(), request, prompt, now, askedAgain(decision.placement(), now)));
        }
        return decision;
    }

    private static long askedAgain(Placement placement, long now) {
        double nanos = placement.askAgainSeconds() * 1e9;
        return nanos < Long.MAX_VALUE - now ? now + (long) Math.ceil(nanos) : Long.MAX_VALUE;
    }

    /** Requests that are held. */
    public int held() {
        return held.size();
    }

    /** The request that has been held longest. */
    public Optional<Held> firstHeld() {
        return held.first();
    }

    /**
     * Asks again about the request that has been held longest.
     *
     * @param expired whether it may not be held any longer
     * @return the decision that places it; nothing while it has to wait on
     */
    public Optional<Decision> again(Held first, List<ReplicaStatus> fleet, boolean expired, long now) {
        FleetView view = memory.view(
                first.request(),
                first.prompt(),
                fleet,
                new Memory.Waiting(0, held.size() - 1, now - first.since(), expired),
                now);
        Placement placement = policy.choose(first.request(), view);
        if (!placement.chosen() && !expired) {
            held.keep(first.askedAgain(askedAgain(placement, now)));
            return Optional.empty();
        }
        held.remove(first.ticket());
        return Optional.of(remembered(first.request(), first.prompt(), view, placement, now));
    }

    /**
     * When the request that has been held longest is to be asked about again, if no request ends before; {@link Long#MAX_VALUE} when
     * none is held.
     */
    public long askAgainAt(long now) {
        return held.first().map(h -> Math.min(h.again(), memory.nextLapse(now))).orElse(Long.MAX_VALUE);
    }

    /** Forgets a held request: its client has left. */
    public void drop(long ticket) {
        held.remove(ticket);
    }

    /**
     * Sends a request to the replica that its client named: no policy is asked and no home changes.
     *
     * @param replica index in {@code fleet}
     */
    public Decision pin(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, int replica, long now) {
        memory.spoke(request, now);
        FleetView view = memory.view(request, prompt, fleet, Memory.Waiting.FOR_NOTHING, now);
        return remembered(request, prompt, view, Placement.pinned(replica, view.home()), now);
    }

    /** What the policy would choose for a request that is not to be held; nothing is remembered. */
    public Placement wouldChoose(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, long now) {
        return policy.choose(
                request,
                memory.view(request, prompt, fleet, new Memory.Waiting(held.size(), held.size(), 0, true), now));
    }

    /** Takes note that a prompt is in a replica's cache although no request that was decided here brought it there. */
    public void cached(String replica, PromptChain prompt, long now) {
        memory.cached(replica, prompt, now);
    }

    private Decision remembered(
            RoutingRequest request, PromptChain prompt, FleetView view, Placement placement, long now) {
        Decision decision = new Decision(memory.nextTicket(), request, view, placement);
        memory.decided(decision, prompt, now);
        return decision;
    }

    /** The first byte of an answer is there. Only needed by some policies, see their needs; told twice it counts once. */
    public void answering(long ticket, long now) {
        memory.answering(ticket, now);
    }

    /**
     * Ends a request that {@link #decide} or {@link #pin} had sent to a replica.
     *
     * @param completion what the engine said of it
     */
    public void release(long ticket, Completion completion, long now) {
        memory.ended(ticket, completion, now);
    }

    /**
     * Forgets what was remembered of a replica whose cache is gone.
     *
     * @return conversations that were at home there
     */
    public int forgetReplica(String replica) {
        return memory.forgetReplica(replica);
    }
}
