package dev.warmroute.router.fleet;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/**
 * Everything a policy may read about a model's replicas at one moment: immutable, complete, and written into the event, so
 * that the decision can be derived again.
 *
 * @param replicas all replicas of the model in configuration order, eligible or not
 * @param home index of the conversation's home, or {@link #NONE}
 * @param inputs further values by {@link Input#wireName}, those that the policy declared
 */
public record FleetView(List<ReplicaView> replicas, int home, Map<String, Double> inputs) {
    /** No replica. */
    public static final int NONE = -1;

    public FleetView {
        if (home < NONE || home >= replicas.size()) {
            throw new IllegalArgumentException("home " + home + " of " + replicas.size() + " replicas");
        }
    }

    public int size() {
        return replicas.size();
    }

    public ReplicaView replica(int index) {
        return replicas.get(index);
    }

    public boolean hasHome() {
        return home != NONE;
    }

    /** Number of replicas that may be chosen. */
    public int eligible() {
        int n = 0;
        for (ReplicaView r : replicas) {
            if (r.eligible()) {
                n++;
            }
        }
        return n;
    }

    /** Index of the n-th eligible replica, from 0. */
    public int eligible(int n) {
        int left = n;
        for (int i = 0; i < replicas.size(); i++) {
            if (replicas.get(i).eligible() && left-- == 0) {
                return i;
            }
        }
        throw new IndexOutOfBoundsException("eligible replica " + n + " of " + eligible());
    }

    /**
     * Index of the eligible replica with the smallest value; ties go to the smaller {@code tie}, then to the lower index.
     * {@link #NONE} when no replica is eligible.
     */
    public int least(ToDoubleFunction<ReplicaView> value, ToIntFunction<ReplicaView> tie) {
        int best = NONE;
        double bestValue = 0;
        int bestTie = 0;
        for (int i = 0; i < replicas.size(); i++) {
            ReplicaView r = replicas.get(i);
            if (!r.eligible()) {
                continue;
            }
            double v = value.applyAsDouble(r);
            int t = tie.applyAsInt(r);
            if (best == NONE || v < bestValue || (v == bestValue && t < bestTie)) {
                best = i;
                bestValue = v;
                bestTie = t;
            }
        }
        return best;
    }

    /** Index of the eligible replica with the fewest requests in flight, the lowest index on ties. */
    public int leastInFlight() {
        return least(ReplicaView::inFlight, r -> 0);
    }

    /** Whether an input that may be absent is there. */
    public boolean has(Input input) {
        return inputs.containsKey(input.wireName());
    }

    /**
     * Value of a model's input.
     *
     * @throws IllegalStateException if it is not there: the policy did not declare it, or did not ask with {@link #has}
     */
    public double input(Input input) {
        return ReplicaView.value(inputs, input);
    }
}
