package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The simulated check of a capacity verdict.
 *
 * @param policy policy simulated
 * @param sessions concurrent sessions simulated; 0 when they came as recorded
 * @param seconds simulated time
 * @param hitPct hit ratio reached, in percent
 * @param ceilingPct hit ratio of the same requests with one cache without limit, in percent
 * @param lostPp {@code ceilingPct - hitPct}, in percentage points
 * @param prefillShare share of the replicas' time that computing prompts takes, estimated from the mean request; 0 to 1
 * @param saturated what is used up besides the cache: prefill when it takes more than 80 % of the time although the cache
 *     keeps what it can, decode when a replica has more sessions than it may run
 * @param agreement what it means that rule and simulation agree or do not, in one sentence
 * @param row all figures of the run
 */
public record CapacityCheck(
        String policy,
        int sessions,
        double seconds,
        OptionalDouble hitPct,
        OptionalDouble ceilingPct,
        @JsonProperty("lost_pp") OptionalDouble lostPp,
        double prefillShare,
        Optional<Limit> saturated,
        String agreement,
        PolicyRow row) {
    public CapacityCheck {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(saturated, "saturated");
        Objects.requireNonNull(agreement, "agreement");
        Objects.requireNonNull(row, "row");
    }
}
