package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * AIBrix' {@code prefix-cache}: when the requests in flight differ by more than {@code max_difference}, only the least loaded
 * replicas are asked. Those asked that hold some of the prompt are tried in order of how much they hold (then fewest in flight,
 * then lowest index); the first with at most {@code mean + deviations * standard deviation} of all requests in flight has the
 * request. When there is none, one of those asked with the fewest in flight, drawn at random.
 *
 * <p>A prompt is believed to be cached for 20 minutes, 200,000 blocks of 16 tokens for a replica.
 */
final class AibrixPrefixPolicy extends RulePolicy {
    private static final Needs.Prefixes INDEX = new Needs.Prefixes(200_000L * 16, 1200, 256);
    private static final Needs NEEDS = Needs.of(Input.PREDICTED_CACHE).indexing(INDEX);

    private final int maxDifference;
    private final double deviations;

    AibrixPrefixPolicy(PolicyParameters parameters) {
        super(parameters, 1, NEEDS);
        maxDifference = parameters.count(
                "max_difference", 0, 8, "difference of requests in flight up to which the cache is followed");
        deviations = parameters.number(
                "deviations", 0, 1, "standard deviations above the mean that a replica may have in flight");
    }

    @Override
    Placement rule(RoutingRequest request, FleetView fleet) {
        Scores load = Scores.of(fleet, ReplicaView::inFlight);
        double least = load.at(load.least());
        boolean unequal = load.at(load.most()) - least > maxDifference;
        Scores asked = Scores.among(fleet, r -> !unequal || r.inFlight() == least, ReplicaView::inFlight);
        double bound = bound(fleet);
        for (int r : byPrefix(fleet, asked)) {
            if (asked.at(r) <= bound) {
                return Placement.balanced(r).withThreshold(bound);
            }
        }
        Scores.Drawn drawn = asked.leastDrawn(request.seed());
        return Placement.balanced(drawn.replica())
                .withPropensity(drawn.propensity())
                .withThreshold(bound);
    }

    private static List<Integer> byPrefix(FleetView fleet, Scores asked) {
        List<Integer> matching = new ArrayList<>();
        for (int r = 0; r < fleet.size(); r++) {
            if (!Double.isNaN(asked.at(r)) && fleet.replica(r).cachedTokens() > 0) {
                matching.add(r);
            }
        }
        matching.sort(Comparator.<Integer>comparingInt(r -> -fleet.replica(r).cachedTokens())
                .thenComparingDouble(asked::at));
        return matching;
    }

    private double bound(FleetView fleet) {
        double sum = 0;
        double squares = 0;
        for (ReplicaView r : fleet.replicas()) {
            if (r.eligible()) {
                sum += r.inFlight();
                squares += (double) r.inFlight() * r.inFlight();
            }
        }
        int n = fleet.eligible();
        double mean = sum / n;
        return mean + deviations * Math.sqrt(Math.max(0, squares / n - mean * mean));
    }
}
