package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * Preble's E2 (arXiv 2407.00023): follow the cache when more of the prompt is cached somewhere than is missing there (exploit),
 * else go where the least work is (explore). With p seconds to compute a token and d to generate one:
 *
 * <pre>
 * load(r)    = p * uncached tokens sent there within the window + d * requests sent * mean answer
 * evict(r)   = p * tokens that must be overwritten for this prompt, where the capacity is known
 * explore(r) = load(r) + evict(r) + p * uncached tokens of this prompt; the least, lowest index on ties
 * exploit    = the least load among those with the longest prefix
 * </pre>
 *
 * <p>A replica whose load is more than {@code load_ratio} times the lightest one's is not exploited: the request is explored
 * instead. d is AIBrix' constant, p vllm-router's default for a 4B model; the paper measures both.
 */
final class PreblePolicy extends RulePolicy {
    private final double prefillSeconds;
    private final double decodeSeconds;
    private final double loadRatio;
    private final int unknownOutput;
    private final Needs needs;

    PreblePolicy(PolicyParameters parameters) {
        super(parameters, 1);
        prefillSeconds = parameters.number("prefill_seconds", 0, 0.000_057, "time to compute a prompt token, s");
        decodeSeconds = parameters.number("decode_seconds", 0, 0.15, "time to generate a token, s");
        loadRatio = parameters.number(
                "load_ratio", 1, 1.5, "load against the lightest above which the cache is not followed");
        unknownOutput = parameters.count("unknown_output", 1, 100, "tokens of an answer before any was seen");
        int window = parameters.count("window_seconds", 1, 180, "time over which load is summed, s");
        needs = Needs.of(
                        Input.PREDICTED_CACHE,
                        Input.INDEXED_TOKENS,
                        Input.CAPACITY_TOKENS,
                        Input.WINDOW_TOKENS,
                        Input.WINDOW_REQUESTS,
                        Input.MEAN_OUTPUT)
                .within(window);
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        double output = fleet.has(Input.MEAN_OUTPUT) ? fleet.input(Input.MEAN_OUTPUT) : unknownOutput;
        Scores load = Scores.of(
                fleet,
                r -> prefillSeconds * r.input(Input.WINDOW_TOKENS)
                        + decodeSeconds * r.input(Input.WINDOW_REQUESTS) * output);
        Scores cached = Scores.of(fleet, ReplicaView::cachedTokens);
        double longest = cached.at(cached.most());
        if (longest > request.promptTokens() - longest) {
            int best = FleetView.NONE;
            for (int r = 0; r < fleet.size(); r++) {
                if (cached.at(r) == longest && (best == FleetView.NONE || load.at(r) < load.at(best))) {
                    best = r;
                }
            }
            if (load.at(best) <= loadRatio * load.at(load.least())) {
                return Placement.balanced(best).withScores(load.values());
            }
        }
        Scores explore = Scores.of(fleet, r -> {
            double uncached = r.uncachedTokens(request.promptTokens());
            return prefillSeconds * (uncached + overwritten(r, uncached));
        });
        double[] cost = explore.values();
        for (int r = 0; r < cost.length; r++) {
            cost[r] += load.at(r);
        }
        return Placement.balanced(explore.least()).withScores(cost);
    }

    private static double overwritten(ReplicaView r, double uncached) {
        return r.has(Input.CAPACITY_TOKENS)
                ? Math.max(
                        0,
                        Math.min(uncached, r.input(Input.INDEXED_TOKENS) + uncached - r.input(Input.CAPACITY_TOKENS)))
                : 0;
    }
}
