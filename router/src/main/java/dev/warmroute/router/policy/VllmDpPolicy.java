package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * vLLM's own balancer of data-parallel ranks ({@code DPLBAsyncMPClient.get_core_engine_for_request}), in three generations.
 * Between two readings every request sent counts as {@code client_count} waiting ones:
 * {@code waiting(r) = waiting as read + client_count * sent since then}; a replica not read yet counts as empty.
 *
 * <pre>
 * v1 (0.9 to mid 2026)  score = 4 waiting + running; ties to the first from client_index/client_count of the replicas on
 * v2 (PR 47420)         the same score; ties to the first from there on, one further with every decision
 * v3 (PR 49204)         score = max(client_count * in_flight, waiting + running)
 *                               + (waiting > 0 ? 6 waiting max(0, kv_usage - 0.5) : 0); ties as in v2
 * </pre>
 */
final class VllmDpPolicy extends RulePolicy {
    /** Which rule. */
    enum Generation {
        V1,
        V2,
        V3
    }

    private final Generation generation;
    private final int clientCount;
    private final int clientIndex;

    VllmDpPolicy(PolicyParameters parameters, Generation generation) {
        super(parameters, 1);
        this.generation = generation;
        clientCount = parameters.count("client_count", 1, 1, "routers in front of the same replicas");
        clientIndex = parameters.count("client_index", 0, 0, "which of them this is, from 0");
    }

    @Override
    public Needs needs() {
        return generation == Generation.V1
                ? Needs.of(Input.SIGNALS, Input.SENT)
                : Needs.of(Input.SIGNALS, Input.SENT, Input.CURSOR);
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        long start = (long) fleet.size() * clientIndex / clientCount;
        if (generation != Generation.V1) {
            start += (long) fleet.input(Input.CURSOR);
        }
        Scores scores = Scores.of(fleet, this::score);
        return Placement.balanced(scores.leastFrom((int) (start % fleet.size())))
                .withScores(scores.values());
    }

    private double score(ReplicaView r) {
        double running = r.signals().running();
        double waiting = r.signals().waiting() + clientCount * r.input(Input.SENT);
        if (generation != Generation.V3) {
            return 4 * waiting + running;
        }
        double pressure = waiting > 0 ? 6 * waiting * Math.max(0, r.signals().kvUsage() - 0.5) : 0;
        return Math.max((double) clientCount * r.inFlight(), waiting + running) + pressure;
    }
}
