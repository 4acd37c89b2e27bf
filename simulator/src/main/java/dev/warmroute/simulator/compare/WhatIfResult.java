package dev.warmroute.simulator.compare;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Answer of {@code whatif}: {@link dev.warmroute.router.event.EventCodec#mapper()} writes it with the field names that the
 * command promises.
 *
 * @param trace what was replayed
 * @param fleet on what; empty for a measured result
 * @param wallS time the computation took, in seconds: the only field that differs between two runs
 * @param intervals what the rows' intervals are, in words; empty when there are none
 * @param policies one row a policy, in the order asked for
 */
public record WhatIfResult(
        TraceSummary trace, Optional<FleetSummary> fleet, double wallS, String intervals, List<PolicyRow> policies) {
    public WhatIfResult {
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(fleet, "fleet");
        Objects.requireNonNull(intervals, "intervals");
        policies = List.copyOf(policies);
    }

    /** The same with what is to be said about the fleet's capacity. */
    public WhatIfResult explained(String capacity, List<String> warnings) {
        return new WhatIfResult(trace, fleet.map(f -> f.explained(capacity, warnings)), wallS, intervals, policies);
    }

    /** The row of a policy. */
    public Optional<PolicyRow> row(String policy) {
        return policies.stream().filter(r -> r.policy().equals(policy)).findFirst();
    }
}
