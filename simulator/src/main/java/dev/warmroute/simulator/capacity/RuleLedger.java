package dev.warmroute.simulator.capacity;

import java.util.List;
import java.util.Objects;

/**
 * The rule "sessions x context must fit the cache", for the machine and for each replica. All sizes in tokens, rounded up to
 * whole blocks a session; "mean" uses the mean context, "p95" the 95th percentile.
 *
 * @param machine all replicas together
 * @param replicas one line a replica
 */
public record RuleLedger(Machine machine, List<Replica> replicas) {
    public RuleLedger {
        Objects.requireNonNull(machine, "machine");
        replicas = List.copyOf(replicas);
    }

    /**
     * @param sessions concurrent sessions asked about
     * @param replicas number of replicas
     * @param capacityTokens cache of all replicas
     * @param sharedTokens prefix that every session shares, held once a replica
     * @param contextMeanTokens mean context of a session, shared prefix and output included
     * @param contextP95Tokens its 95th percentile
     * @param utilisationMean {@code (sum of private contexts + replicas x shared) / capacity} with mean contexts
     * @param utilisationP95 the same with 95th percentiles
     * @param roomMean sessions of mean context that one replica holds beside the shared prefix, not rounded
     * @param roomP95 the same with the 95th percentile
     * @param sessionsFitRaw {@code replicas x capacity / context}: the rule without the shared prefix and without rounding
     * @param sessionsFitPooledMean sessions that would fit if the replicas were one cache
     * @param sessionsFitPooledP95 the same with the 95th percentile
     * @param sessionsFitMean sessions that fit when each replica holds whole sessions
     * @param sessionsFitP95 the same with the 95th percentile
     * @param headroomTokens capacity left with mean contexts; negative when they do not fit
     */
    public record Machine(
            int sessions,
            int replicas,
            long capacityTokens,
            long sharedTokens,
            double contextMeanTokens,
            double contextP95Tokens,
            double utilisationMean,
            double utilisationP95,
            double roomMean,
            double roomP95,
            double sessionsFitRaw,
            int sessionsFitPooledMean,
            int sessionsFitPooledP95,
            int sessionsFitMean,
            int sessionsFitP95,
            double headroomTokens) {}

    /**
     * @param replica id of the replica
     * @param sessions sessions at home there
     * @param capacityTokens its cache
     * @param demandMeanTokens {@code shared + sum of its sessions' private contexts}, mean contexts
     * @param demandP95Tokens the same with 95th percentiles
     * @param utilisationMean {@code demandMeanTokens / capacityTokens}
     * @param utilisationP95 {@code demandP95Tokens / capacityTokens}
     * @param sessionsFitMean sessions of mean context that fit
     * @param sessionsFitP95 sessions of the 95th percentile that fit
     * @param headroomTokens capacity left with mean contexts; negative when they do not fit
     */
    public record Replica(
            String replica,
            int sessions,
            long capacityTokens,
            double demandMeanTokens,
            double demandP95Tokens,
            double utilisationMean,
            double utilisationP95,
            int sessionsFitMean,
            int sessionsFitP95,
            double headroomTokens) {}
}
