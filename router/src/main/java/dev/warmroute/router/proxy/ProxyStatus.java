package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.proxy.PolicyHistory.InForce;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is going on in the proxy: totals, and a row for each replica of each model. */
public final class ProxyStatus {
    private final List<ModelStatus> models = new ArrayList<>();
    private final ProxyTotals totals;

    ProxyStatus(List<ModelRoute> routes, ProxyTotals totals, RouterClock clock) {
        this.totals = totals;
        for (ModelRoute route : routes) {
            List<ReplicaRow> rows = new ArrayList<>();
            for (Seat seat : route.seats()) {
                Replica r = seat.replica();
                rows.add(new ReplicaRow(
                        r.id(),
                        r.config().url().toString(),
                        seat.reason(clock.nanos(), false),
                        r.engineVersion().orElse(""),
                        route.inFlight(r),
                        route.liveSessions(r),
                        route.signals(r),
                        route.capacityTokens(r),
                        seat.member().draining(),
                        r.totals()));
            }
            InForce now = route.inForce();
            models.add(new ModelStatus(
                    now.config(),
                    now.policy(),
                    now.checkHash(),
                    now.tag(),
                    route.previous().map(ProxyStatus::previous),
                    route.held(),
                    rows));
        }
    }

    private static Previous previous(InForce previous) {
        return new Previous(previous.policy(), previous.config().affinity());
    }

    /** What going back would bring: the policy that would decide, and affinity. */
    public record Previous(PolicyIdentity policy, boolean affinity) {}

    /**
     * A model and its replicas.
     *
     * @param config as it is now
     * @param policy the one that decides
     * @param checkHash hash of the check that it has passed, when it came through the gate
     * @param inForce names all of this, for changes that are meant for it alone
     * @param previous what was in force before the last change that was not taken back
     * @param held requests that wait here for a place
     */
    public record ModelStatus(
            ModelConfig config,
            PolicyIdentity policy,
            Optional<String> checkHash,
            String inForce,
            Optional<Previous> previous,
            int held,
            List<ReplicaRow> replicas) {
        public ModelStatus {
            replicas = List.copyOf(replicas);
        }

        public String name() {
            return config.name();
        }

        /** Whether any replica may be chosen. */
        public boolean ready() {
            return replicas.stream().anyMatch(ReplicaRow::eligible);
        }
    }

    /**
     * One replica.
     *
     * @param reason why it may not be chosen; empty when it may
     * @param engineVersion empty when it has not said
     * @param capacityTokens tokens that its KV cache holds; -1 when it has not said
     */
    public record ReplicaRow(
            String id,
            String url,
            String reason,
            String engineVersion,
            int inFlight,
            int liveSessions,
            Signals signals,
            long capacityTokens,
            boolean draining,
            ReplicaTotals totals) {
        public boolean eligible() {
            return reason.isEmpty();
        }
    }

    public List<ModelStatus> models() {
        return List.copyOf(models);
    }

    public ProxyTotals totals() {
        return totals;
    }

    /** Whether every model has a replica that may be chosen. */
    public boolean ready() {
        return models.stream().allMatch(ModelStatus::ready);
    }
}
