package dev.warmroute.simulator.validate;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.simulator.timing.TimingProfile;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Recorded cells of a vLLM fleet and what the simulator said of them.
 *
 * @param mode {@code recorded} (assignments and times given) or {@code what-if} (predicted from the random cells)
 * @param maePp mean over the cells of how far the hit rate is off, in percentage points
 * @param worstPp the largest
 * @param pairs pairs of cells with equal sessions, under affinity and at random
 * @param signs in how many pairs the difference affinity - random has the right sign
 * @param curve predictions of sizes that were not recorded
 * @param timing the step times learnt
 * @param ok whether everything is within its tolerance
 * @param complaints what is not, in words
 */
public record FleetResult(
        String mode,
        List<Cell> cells,
        double maePp,
        double worstPp,
        int pairs,
        Signs signs,
        List<Point> curve,
        TimingProfile timing,
        boolean ok,
        List<String> complaints) {
    public FleetResult {
        cells = List.copyOf(cells);
        curve = List.copyOf(curve);
        complaints = List.copyOf(complaints);
    }

    /**
     * One cell.
     *
     * @param exactRequests requests with exactly the engine's cached tokens; only where requests are the same
     * @param cachedOffPct how far the sum of cached tokens is off, in percent; only where requests are the same
     * @param pace how many times longer than the law everything took in the random cell of as many sessions
     */
    public record Cell(
            String file,
            String policy,
            int sessions,
            int requests,
            OptionalInt exactRequests,
            OptionalDouble cachedOffPct,
            double pace,
            double hitMeasuredPct,
            double hitPredictedPct,
            double outputMeasured,
            double outputPredicted,
            @JsonProperty("ttfb_p50_measured_s") double ttfbP50MeasuredS,
            @JsonProperty("ttfb_p50_predicted_s") double ttfbP50PredictedS) {
        double offPp() {
            return Math.abs(hitPredictedPct - hitMeasuredPct);
        }
    }

    /** A prediction without a recording. */
    public record Point(
            String policy,
            int sessions,
            double hitPredictedPct,
            double outputPredicted,
            @JsonProperty("ttfb_p50_predicted_s") double ttfbP50PredictedS) {}

    /** Pairs with the right sign. */
    public record Signs(
            int hit, int output, @JsonProperty("ttfb_p50") int ttfbP50) {}
}
