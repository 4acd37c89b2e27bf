package dev.warmroute.router.state;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One model's routing: a policy and the memory it reads. A request is {@link #decide decided} once an attempt and
 * {@link #release released} exactly once for each decision that chose a replica. Not thread-safe; the clock is the caller's
 * and must not go backwards.
 */
public final class ModelRouter {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1800);
    private static final long LIVE_NANOS = TimeUnit.SECONDS.toNanos(300);
    private static final int MAX_SESSIONS = 8192;

    private RoutingPolicy policy;
    private final Sessions sessions;
    private final Map<String, Integer> inFlight = new HashMap<>();
    private long cursor;

    public ModelRouter(RoutingPolicy policy) {
        this(policy, new Sessions(IDLE_NANOS, LIVE_NANOS, MAX_SESSIONS));
    }

    public ModelRouter(RoutingPolicy policy, Sessions sessions) {
        this.policy = policy;
        this.sessions = sessions;
    }

    public RoutingPolicy policy() {
        return policy;
    }

    /** Replaces the policy; what is remembered stays. */
    public void policy(RoutingPolicy policy) {
        this.policy = policy;
    }

    public Sessions sessions() {
        return sessions;
    }

    public int inFlight(String replica) {
        return inFlight.getOrDefault(replica, 0);
    }

    /** A decision and the view it was taken in. */
    public record Decision(RoutingRequest request, FleetView view, Placement placement) {
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

    /**
     * Decides where a request goes, and remembers it: the replica has one more request in flight, the conversation its home.
     *
     * @param fleet every replica of the model, in configuration order
     * @param now nanoseconds on the caller's clock
     */
    public Decision decide(RoutingRequest request, List<ReplicaStatus> fleet, long now) {
        FleetView view = view(request, fleet, now);
        Placement placement = policy.choose(request, view);
        Decision decision = new Decision(request, view, placement);
        remember(decision, now);
        return decision;
    }

    /**
     * Sends a request to the replica that its client named: no policy is asked and no home changes.
     *
     * @param replica index in {@code fleet}
     */
    public Decision pin(RoutingRequest request, List<ReplicaStatus> fleet, int replica, long now) {
        FleetView view = view(request, fleet, now);
        Decision decision = new Decision(request, view, Placement.pinned(replica, view.home()));
        remember(decision, now);
        return decision;
    }

    /** Ends a request that {@link #decide} or {@link #pin} had sent to this replica. */
    public void release(String replica) {
        int before = inFlight(replica);
        if (before == 0) {
            throw new IllegalStateException("replica " + replica + " was released more often than chosen");
        }
        inFlight.put(replica, before - 1);
    }

    private FleetView view(RoutingRequest request, List<ReplicaStatus> fleet, long now) {
        String home = sessions.home(request.session(), now);
        int homeIndex = FleetView.NONE;
        List<ReplicaView> replicas = new ArrayList<>(fleet.size());
        for (ReplicaStatus r : fleet) {
            if (r.id().equals(home)) {
                homeIndex = replicas.size();
            }
            replicas.add(new ReplicaView(
                    r.id(),
                    r.eligible(),
                    r.reason(),
                    inFlight(r.id()),
                    sessions.live(r.id()),
                    r.signals(),
                    r.predictedCachedTokens(),
                    Map.of()));
        }
        return new FleetView(List.copyOf(replicas), homeIndex, Map.of(FleetView.CURSOR, (double) cursor));
    }

    private void remember(Decision decision, long now) {
        cursor++;
        if (decision.placement().chosen()) {
            inFlight.merge(decision.replica(), 1, Integer::sum);
        }
        String home = decision.homeAfter();
        if (decision.request().hasSession() && !home.isEmpty()) {
            sessions.use(decision.request().session(), home, now);
        }
    }
}
