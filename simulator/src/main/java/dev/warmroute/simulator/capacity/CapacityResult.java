package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.compare.TraceSummary;
import java.util.Optional;

/**
 * Answer of {@code capacity}: {@link dev.warmroute.router.event.EventCodec#mapper()} writes it with the field names that the
 * command promises. Parts that need sessions or a fleet are empty (null in JSON) without them.
 *
 * @param trace what was analysed; empty for a description
 * @param verdict whether it fits
 * @param sessionsFit how many sessions fit
 * @param limit what keeps more from fitting
 * @param capacitySource where the capacity comes from: {@code reported}, {@code derived} or {@code given}; empty without one
 * @param rule the rule, line by line
 * @param reuse reuse-distance curve; empty for a description
 * @param simulation the simulated check
 */
public record CapacityResult(
        Optional<TraceSummary> trace,
        Optional<Verdict> verdict,
        Optional<SessionsFit> sessionsFit,
        Optional<Limit> limit,
        String capacitySource,
        Optional<RuleLedger> rule,
        Optional<ReuseCurve> reuse,
        Optional<CapacityCheck> simulation) {

    /**
     * Sessions that fit at the same time.
     *
     * @param low with contexts at their 95th percentile
     * @param high with mean contexts
     */
    public record SessionsFit(int low, int high) {
        public SessionsFit {
            if (low > high) {
                throw new IllegalArgumentException("sessions fit from " + low + " to " + high);
            }
        }
    }
}
