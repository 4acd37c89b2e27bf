package dev.warmroute.simulator.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param comparison how they stand to each other; empty with a single one
 * @param selfReplay a recording replayed as it was, to judge the rest by; empty for other traces
 * @param notes what a reader should know of how it was replayed
 * @param warmPrompts what warm prompts are worth; left out of the JSON when none were asked for
 */
public record WhatIfResult(
        TraceSummary trace,
        Optional<FleetSummary> fleet,
        double wallS,
        String intervals,
        List<PolicyRow> policies,
        Optional<PolicyComparison> comparison,
        Optional<SelfReplay> selfReplay,
        List<String> notes,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WarmWorth> warmPrompts) {
    public WhatIfResult {
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(fleet, "fleet");
        Objects.requireNonNull(intervals, "intervals");
        policies = List.copyOf(policies);
        Objects.requireNonNull(comparison, "comparison");
        Objects.requireNonNull(selfReplay, "selfReplay");
        notes = List.copyOf(notes);
        Objects.requireNonNull(warmPrompts, "warmPrompts");
    }

    /** A result of replicas that start cold. */
    public WhatIfResult(
            TraceSummary trace,
            Optional<FleetSummary> fleet,
            double wallS,
            String intervals,
            List<PolicyRow> policies,
            Optional<PolicyComparison> comparison,
            Optional<SelfReplay> selfReplay,
            List<String> notes) {
        this(trace, fleet, wallS, intervals, policies, comparison, selfReplay, notes, Optional.empty());
    }

    /** A result whose policies were not compared. */
    public WhatIfResult(
            TraceSummary trace,
            Optional<FleetSummary> fleet,
            double wallS,
            String intervals,
            List<PolicyRow> policies) {
        this(trace, fleet, wallS, intervals, policies, Optional.empty(), Optional.empty(), List.of());
    }

    /** The same with what is to be said about the fleet's capacity. */
    public WhatIfResult explained(String capacity, List<String> warnings) {
        return new WhatIfResult(
                trace,
                fleet.map(f -> f.explained(capacity, warnings)),
                wallS,
                intervals,
                policies,
                comparison,
                selfReplay,
                notes,
                warmPrompts);
    }

    /** The row of a policy. */
    public Optional<PolicyRow> row(String policy) {
        return policies.stream().filter(r -> r.policy().equals(policy)).findFirst();
    }

    /** The same, judged by a replay of the recording as it was. */
    public WhatIfResult judgedBy(Optional<SelfReplay> replay) {
        return new WhatIfResult(trace, fleet, wallS, intervals, policies, comparison, replay, notes, warmPrompts);
    }

    /** The same with notes. */
    public WhatIfResult noting(List<String> more) {
        return new WhatIfResult(trace, fleet, wallS, intervals, policies, comparison, selfReplay, more, warmPrompts);
    }

    /** The same with what warm prompts are worth. */
    public WhatIfResult warmedBy(Optional<WarmWorth> worth) {
        return new WhatIfResult(trace, fleet, wallS, intervals, policies, comparison, selfReplay, notes, worth);
    }
}
