package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/**
 * SGLang gateway's {@code prefix_hash}: the first {@code prefix_tokens} tokens of the prompt choose a replica on a ring; when it
 * has more in flight than {@code load_factor * (all in flight + 1) / n}, the least loaded one within that bound has the request
 * (lowest index on ties), and when none is within it, it stays. Prompts that are shorter go where the fewest are in flight.
 */
final class PrefixHashPolicy extends RulePolicy {
    private final double loadFactor;
    private final int virtualNodes;
    private final Needs needs;
    /** Of the replicas seen last; a pure function of their ids, kept because it takes a while. */
    private HashRing ring = HashRing.EMPTY;

    PrefixHashPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        int prefixTokens =
                parameters.count("prefix_tokens", 1, 256, "tokens of the prompt's beginning that are hashed");
        loadFactor = parameters.number(
                "load_factor", 1, 1.25, "most that a replica may have above the mean of requests in flight");
        virtualNodes = parameters.count("virtual_nodes", 1, 160, "places of a replica on the ring");
        needs = Needs.of(Input.PREFIX_KEY).indexing(new Needs.Prefixes(1, 1, prefixTokens));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        if (!fleet.has(Input.PREFIX_KEY)) {
            return Placement.balanced(fleet.leastInFlight());
        }
        ring = ring.over(fleet, virtualNodes);
        double bound = BoundedLoad.of(fleet, loadFactor);
        long key = KeyHash.of((long) fleet.input(Input.PREFIX_KEY), 1);
        int initial = ring.first(key, r -> fleet.replica(r).eligible());
        int chosen = initial;
        if (fleet.replica(initial).inFlight() > bound) {
            Scores within = Scores.among(fleet, r -> r.inFlight() <= bound, r -> r.inFlight());
            chosen = within.none() ? initial : within.least();
        }
        return Placement.balanced(chosen).withThreshold(bound);
    }
}
