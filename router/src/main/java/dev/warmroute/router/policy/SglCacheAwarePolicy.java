package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.List;

/**
 * SGLang router's {@code cache_aware}, as in its gateway and in vllm-router. The fleet is out of balance when
 * {@code max - min > balance_abs and max > balance_rel * min} of the requests in flight, or when the fullest KV cache is above
 * {@code kv_ceiling}, or the fullest and the emptiest differ by more than {@code kv_spread}.
 *
 * <pre>
 * in balance      the longest predicted prefix, if it is more than cache_threshold of the prompt;
 *                 else the least loaded replica (or, as before 2026, the one with the smallest tree)
 * out of balance  the least loaded replica; with a window (sglang 32195) the longest prefix among those with
 *                 at most window requests more than the least loaded one
 * </pre>
 *
 * <p>Ties: fewer in flight, then fewer ever sent there, then the lowest index. The tree is an index of prompts by whole blocks,
 * {@code tree_tokens} for a replica. Defaults are the command line's; the library's are .5, 32 and 1.1.
 */
final class SglCacheAwarePolicy extends RulePolicy {
    private final double cacheThreshold;
    private final int balanceAbs;
    private final double balanceRel;
    private final boolean smallestTree;
    private final double kvCeiling;
    private final double kvSpread;
    private final int window;
    private final Needs needs;

    SglCacheAwarePolicy(PolicyParameters parameters) {
        super(parameters, 1);
        cacheThreshold = parameters.number(
                "cache_threshold", 0, 0.3, "part of the prompt that must be cached to follow the cache");
        balanceAbs = parameters.count("balance_abs", 0, 64, "difference of requests in flight that is out of balance");
        balanceRel = parameters.number("balance_rel", 1, 1.5, "ratio of requests in flight that is out of balance");
        smallestTree = parameters
                .choice("on_miss", List.of("least_loaded", "smallest_tree"), "who has a prompt that is cached nowhere")
                .equals("smallest_tree");
        kvCeiling = parameters.number("kv_ceiling", 0, 1, "KV usage above which the fleet is out of balance");
        kvSpread = parameters.number("kv_spread", 0, 1, "difference of KV usage above which it is out of balance");
        window = parameters.count(
                "imbalance_window",
                0,
                0,
                "requests above the least loaded within which the cache is followed all the same");
        int treeTokens =
                parameters.count("tree_tokens", 64, 16_777_216, "prompt tokens that the tree holds for a replica");
        needs = Needs.of(Input.PREDICTED_CACHE, Input.INDEXED_TOKENS, Input.DECIDED, Input.SIGNALS)
                .indexing(new Needs.Prefixes(treeTokens, Long.MAX_VALUE, 256));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        Scores load = Scores.of(fleet, ReplicaView::inFlight);
        int leastLoaded = load.least(fleet, r -> r.input(Input.DECIDED));
        Scores cached = Scores.of(fleet, r -> (double) r.cachedTokens() / Math.max(1, request.promptTokens()));
        return Placement.balanced(chosen(fleet, load, leastLoaded, cached)).withScores(cached.values());
    }

    private int chosen(FleetView fleet, Scores load, int leastLoaded, Scores cached) {
        if (outOfBalance(fleet, load.at(leastLoaded), load.at(load.most()))) {
            double most = load.at(leastLoaded) + window;
            return window == 0
                    ? leastLoaded
                    : longest(fleet, Scores.among(fleet, r -> r.inFlight() <= most, ReplicaView::cachedTokens));
        }
        int longest = longest(fleet, cached);
        if (cached.at(longest) > cacheThreshold) {
            return longest;
        }
        return smallestTree
                ? Scores.of(fleet, r -> r.input(Input.INDEXED_TOKENS)).least()
                : leastLoaded;
    }

    private static int longest(FleetView fleet, Scores cached) {
        return cached.most(fleet, ReplicaView::inFlight, r -> r.input(Input.DECIDED));
    }

    private boolean outOfBalance(FleetView fleet, double min, double max) {
        if (max - min > balanceAbs && max > balanceRel * min) {
            return true;
        }
        Scores usage =
                Scores.among(fleet, r -> r.signals().known(), r -> r.signals().kvUsage());
        if (usage.none()) {
            return false;
        }
        double fullest = usage.at(usage.most());
        return fullest > kvCeiling || fullest - usage.at(usage.least()) > kvSpread;
    }
}
