package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.SplittableRandom;

/**
 * NVIDIA Dynamo's KV router, in blocks of {@code block_size} tokens. What replicas have cached is predicted for
 * {@code index_seconds} after it was sent, up to 2^20 blocks.
 *
 * <pre>
 * prefill(r) = max(0, uncached prompt blocks that are being computed + blocks of this prompt - overlap_weight * cached blocks)
 * decode(r)  = prompt blocks in flight
 * dynamo_kv:      cost = prefill_load_scale * prefill(r) + decode(r) + blocks of this prompt
 * dynamo_lmetric: cost = prefill(r) * (decode(r) + 1)
 * </pre>
 *
 * <p>The least cost, the lowest index on ties; with a temperature T, each with probability in proportion to
 * {@code exp(-(cost - min) / (max - min) / T)}.
 */
final class DynamoPolicy extends RulePolicy {
    private static final long MAX_BLOCKS = 1 << 20;

    private final boolean lmetric;
    private final int blockSize;
    private final double overlapWeight;
    private final double prefillLoadScale;
    private final double temperature;
    private final Needs needs;

    private DynamoPolicy(PolicyParameters parameters, boolean lmetric) {
        super(parameters, 1);
        this.lmetric = lmetric;
        blockSize = parameters.count("block_size", 1, 16, "tokens in a block");
        overlapWeight = parameters.number("overlap_weight", 0, 1, "worth of a cached block against one to be computed");
        prefillLoadScale = lmetric
                ? 1
                : parameters.number("prefill_load_scale", 0, 1, "weight of a block to be computed against one held");
        temperature =
                parameters.number("temperature", 0, 0, "0: the least cost; above: random, the flatter the higher");
        int seconds = parameters.count("index_seconds", 1, 120, "a prompt is believed to be cached for so long, s");
        needs = Needs.of(Input.PREDICTED_CACHE, Input.PREFILL_TOKENS, Input.PROMPT_TOKENS)
                .indexing(new Needs.Prefixes(MAX_BLOCKS * blockSize, seconds, 256));
    }

    static RoutingPolicy kv(PolicyParameters parameters) {
        return new DynamoPolicy(parameters, false);
    }

    static RoutingPolicy lmetric(PolicyParameters parameters) {
        return new DynamoPolicy(parameters, true);
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        double incoming = Math.max(0, request.promptTokens()) / (double) blockSize;
        Scores costs = Scores.of(fleet, r -> cost(r, incoming));
        if (temperature == 0) {
            return Placement.balanced(costs.least()).withScores(costs.values());
        }
        return drawn(request, fleet, costs).withScores(costs.values());
    }

    private double cost(ReplicaView r, double incoming) {
        double active = r.input(Input.PREFILL_TOKENS) / blockSize;
        double prefill = Math.max(0, active + incoming - overlapWeight * r.cachedTokens() / blockSize);
        double decode = r.input(Input.PROMPT_TOKENS) / blockSize;
        return lmetric ? prefill * (decode + 1) : prefillLoadScale * prefill + decode + incoming;
    }

    private Placement drawn(RoutingRequest request, FleetView fleet, Scores costs) {
        double least = costs.at(costs.least());
        double span = costs.at(costs.most()) - least;
        Scores weights = Scores.of(fleet, r -> 1);
        double[] weight = weights.values();
        double sum = 0;
        for (int r = 0; r < weight.length; r++) {
            if (!Double.isNaN(weight[r])) {
                weight[r] = span == 0 ? 1 : StrictMath.exp(-(costs.at(r) - least) / span / temperature);
                sum += weight[r];
            }
        }
        double left = new SplittableRandom(request.seed()).nextDouble() * sum;
        int chosen = costs.least();
        for (int r = 0; r < weight.length; r++) {
            if (!Double.isNaN(weight[r])) {
                if (left < weight[r]) {
                    chosen = r;
                    break;
                }
                left -= weight[r];
            }
        }
        return Placement.balanced(chosen).withPropensity(weight[chosen] / sum);
    }
}
