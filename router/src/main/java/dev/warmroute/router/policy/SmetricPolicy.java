package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.List;

/**
 * vllm-router's {@code smetric}, whose constants are for characters: four to a token. With L characters in the prompt, n of them
 * not cached at r, and {@code pending} the cost of the prompts that r is computing:
 *
 * <pre>
 * cost(r)   = ceil(c_lin * n + c_att * n * (L - n / 2))
 * queued(r) = pending(r) + cost(r)
 * meets(r)  = queued(r) / rate &lt;= slack * (ttft_base + ttft_per_char * L)
 * </pre>
 *
 * <p>The replica with the longest cached prefix (then the least queued, then the lowest index) has the request if this is not the
 * conversation's first turn, more than {@code hit_ratio} of what the last turn left is cached there, and it meets the target or
 * nobody does. Else the least {@code queued * in flight} (colocated) or {@code queued}, then the least queued, then the lowest
 * index. The rate is {@code prefill_rate}, unless 0: then it is learnt from the last 64 requests, and 1e4 before that.
 */
final class SmetricPolicy extends RulePolicy {
    private static final double CHARS = 4;
    private static final double FIRST_RATE = 1e4;
    private static final Needs NEEDS = Needs.of(
            Input.SESSION,
            Input.SESSION_TOKENS,
            Input.PREDICTED_CACHE,
            Input.PREFILL_TOKENS,
            Input.PREFILL_PAIRS,
            Input.PREFILL_RATE);

    private final double linear;
    private final double attention;
    private final double prefillRate;
    private final double hitRatio;
    private final double slack;
    private final double ttftBase;
    private final double ttftPerChar;
    private final boolean colocated;

    SmetricPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        linear = parameters.number("c_lin", 0, 1, "cost of a character");
        attention = parameters.number("c_att", 0, 1e-4, "cost of a pair of characters");
        prefillRate = parameters.number("prefill_rate", 0, 0, "cost computed in a second; 0: learnt");
        hitRatio = parameters.number(
                "hit_ratio", 0, 0.1, "part of what the last turn left that must be cached to follow the cache");
        slack = parameters.number("slack", 0, 1, "factor of the target");
        ttftBase = parameters.number("ttft_base", 0, 0.2, "target of an empty prompt, s");
        ttftPerChar = parameters.number("ttft_per_char", 0, 1e-4, "what a character adds to the target, s");
        colocated = parameters
                .choice(
                        "colocated",
                        List.of("yes", "no"),
                        "whether replicas also generate, so that requests in flight count")
                .equals("yes");
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        double length = CHARS * Math.max(0, request.promptTokens());
        Scores queued = Scores.of(fleet, r -> pending(r) + cost(r, request, length));
        double target = slack * (ttftBase + ttftPerChar * length) * rate(fleet);
        Scores cached = Scores.of(fleet, ReplicaView::cachedTokens);
        int best = best(cached, queued);
        boolean nobodyMeets = queued.at(queued.least()) > target;
        double left = fleet.has(Input.SESSION_TOKENS) ? fleet.input(Input.SESSION_TOKENS) : request.promptTokens();
        if (!(fleet.hasHome() && cached.at(best) > hitRatio * left && (nobodyMeets || queued.at(best) <= target))) {
            Scores scores = Scores.of(fleet, ReplicaView::inFlight);
            double[] values = scores.values();
            for (int r = 0; r < values.length; r++) {
                values[r] = colocated ? queued.at(r) * values[r] : queued.at(r);
            }
            best = leastOf(scores, queued);
        }
        Placement placement = request.hasSession() ? Placement.withHome(fleet, best) : Placement.balanced(best);
        return placement.withScores(queued.values());
    }

    private double cost(ReplicaView r, RoutingRequest request, double length) {
        double n = CHARS * r.uncachedTokens(request.promptTokens());
        return Math.ceil(linear * n + attention * n * (length - n / 2));
    }

    private double pending(ReplicaView r) {
        return linear * CHARS * r.input(Input.PREFILL_TOKENS)
                + attention * CHARS * CHARS * r.input(Input.PREFILL_PAIRS);
    }

    private double rate(FleetView fleet) {
        if (prefillRate > 0) {
            return prefillRate;
        }
        return fleet.has(Input.PREFILL_RATE) ? linear * CHARS * fleet.input(Input.PREFILL_RATE) : FIRST_RATE;
    }

    private static int best(Scores cached, Scores queued) {
        int best = cached.most();
        for (int r = 0; r < cached.values().length; r++) {
            if (cached.at(r) == cached.at(best) && queued.at(r) < queued.at(best)) {
                best = r;
            }
        }
        return best;
    }

    private static int leastOf(Scores scores, Scores queued) {
        int least = scores.least();
        for (int r = 0; r < scores.values().length; r++) {
            if (scores.at(r) == scores.at(least) && queued.at(r) < queued.at(least)) {
                least = r;
            }
        }
        return least;
    }
}
