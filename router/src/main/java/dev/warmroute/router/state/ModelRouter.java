package dev.warmroute.router.state;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import java.util.List;

/**
 * One model's routing: a policy and the memory it reads. A request is {@link #decide decided} once an attempt; a decision that
 * chose a replica is {@link #release released} exactly once, under its ticket. Not thread-safe; the clock is the caller's and
 * must not go backwards.
 */
public final class ModelRouter {
    private static final int MAX_SESSIONS = 8192;

    private RoutingPolicy policy;
    private final Sessions sessions;
    private final Memory memory;

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
            return placement.home() == FleetView.NONE ? "" : view.replica(placement.home()).id();
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
        FleetView view = memory.view(request, prompt, fleet, now);
        return remembered(request, prompt, view, policy.choose(request, view), now);
    }

    /**
     * Sends a request to the replica that its client named: no policy is asked and no home changes.
     *
     * @param replica index in {@code fleet}
     */
    public Decision pin(RoutingRequest request, PromptChain prompt, List<ReplicaStatus> fleet, int replica, long now) {
        FleetView view = memory.view(request, prompt, fleet, now);
        return remembered(request, prompt, view, Placement.pinned(replica, view.home()), now);
    }

    private Decision remembered(RoutingRequest request, PromptChain prompt, FleetView view, Placement placement, long now) {
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
    public void release(long ticket, Completion completion) {
        memory.ended(ticket, completion);
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
