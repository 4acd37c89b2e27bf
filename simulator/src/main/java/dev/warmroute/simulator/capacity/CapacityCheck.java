package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The simulated check of a capacity verdict.
 *
 * @param policy policy simulated
 * @param sessions concurrent sessions simulated
 * @param seconds simulated time
 * @param hitPct hit ratio reached, in percent
 * @param ceilingPct hit ratio of the same requests with a cache without limit and one replica, in percent
 * @param lostPp {@code ceilingPct - hitPct}, in percentage points
 * @param agreement what it means that rule, reuse curve and simulation agree or do not, in one sentence
 * @param row all figures of the run
 */
public record CapacityCheck(
        String policy,
        int sessions,
        double seconds,
        OptionalDouble hitPct,
        OptionalDouble ceilingPct,
        @JsonProperty("lost_pp") OptionalDouble lostPp,
        String agreement,
        PolicyRow row) {
    public CapacityCheck {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(agreement, "agreement");
        Objects.requireNonNull(row, "row");
    }
}
