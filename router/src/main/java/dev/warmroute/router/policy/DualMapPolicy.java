package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * DualMap (arXiv 2602.06502): two hashes of the prompt's beginning name two replicas on two rings. The one with the longer
 * cached prefix has the request (then the fewer in flight, then the first ring's) as long as
 *
 * <pre>ttft(r) = (uncached tokens being computed + uncached tokens of this prompt) / rate</pre>
 *
 * <p>is at most {@code slo_seconds}, else the one with fewer in flight. The rate is learnt, {@code tokens_per_second} before that.
 * Without the paper's migration of queued requests. Prompts shorter than {@code prefix_tokens} go where the fewest are in flight.
 */
final class DualMapPolicy extends RulePolicy {
    private static final int VIRTUAL_NODES = 160;

    private final double sloSeconds;
    private final double tokensPerSecond;
    private final Needs needs;
    /** Of the replicas seen last; a pure function of their ids, kept because it takes a while. */
    private HashRing ring = HashRing.EMPTY;

    DualMapPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        int prefixTokens =
                parameters.count("prefix_tokens", 1, 256, "tokens of the prompt's beginning that are hashed");
        sloSeconds =
                parameters.number("slo_seconds", 0, 2, "time to the first byte up to which the cache is followed, s");
        tokensPerSecond = parameters.number(
                "tokens_per_second", 1, 8000, "prompt tokens computed in a second, before it is learnt");
        needs = Needs.of(Input.PREFIX_KEY, Input.PREDICTED_CACHE, Input.PREFILL_TOKENS, Input.PREFILL_RATE)
                .indexing(new Needs.Prefixes(Needs.Prefixes.DEFAULT.tokensPerReplica(), Long.MAX_VALUE, prefixTokens));
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
        ring = ring.over(fleet, VIRTUAL_NODES);
        long key = (long) fleet.input(Input.PREFIX_KEY);
        int first = ring.first(KeyHash.of(key, 1), r -> fleet.replica(r).eligible());
        int other = ring.first(KeyHash.of(key, 2), r -> fleet.replica(r).eligible() && r != first);
        int second = other == FleetView.NONE ? first : other;
        double rate = fleet.has(Input.PREFILL_RATE) ? fleet.input(Input.PREFILL_RATE) : tokensPerSecond;
        Scores ttft = Scores.of(
                fleet, r -> (r.input(Input.PREFILL_TOKENS) + r.uncachedTokens(request.promptTokens())) / rate);
        int longer = better(fleet, first, second, true);
        int chosen = ttft.at(longer) <= sloSeconds ? longer : better(fleet, first, second, false);
        return Placement.balanced(chosen).withScores(ttft.values());
    }

    private static int better(FleetView fleet, int first, int second, boolean byCache) {
        ReplicaView a = fleet.replica(first);
        ReplicaView b = fleet.replica(second);
        if (byCache && a.cachedTokens() != b.cachedTokens()) {
            return a.cachedTokens() > b.cachedTokens() ? first : second;
        }
        return b.inFlight() < a.inFlight() ? second : first;
    }
}
