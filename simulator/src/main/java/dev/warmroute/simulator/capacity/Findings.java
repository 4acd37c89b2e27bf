package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.Limits.Turns;
import dev.warmroute.simulator.compare.TraceSummary;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What was found out about a fleet and its sessions, before conclusions are drawn.
 *
 * @param trace what was analysed; empty for a description
 * @param rule the rule; empty without sessions or a fleet
 * @param reuse reuse-distance curve; empty for a description
 * @param curve what the curve says of the fleet
 * @param workingSet what is in use over time
 * @param turns the mean turn, where it is known when sessions come back
 * @param simulated the simulations
 */
record Findings(
        Optional<TraceSummary> trace,
        Optional<Rule> rule,
        Optional<ReuseCurve> reuse,
        Optional<Curve> curve,
        Optional<WorkingSet> workingSet,
        Optional<Turns> turns,
        Simulated simulated) {
    Findings {
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(reuse, "reuse");
        Objects.requireNonNull(curve, "curve");
        Objects.requireNonNull(workingSet, "workingSet");
        Objects.requireNonNull(turns, "turns");
        Objects.requireNonNull(simulated, "simulated");
    }

    /**
     * What reuse distances say of one cache as large as all replicas' together.
     *
     * @param hitPct hit ratio, in percent
     * @param recordedSessions sessions at the same time in the recorded order, which the curve is of; empty when it is not known
     */
    record Curve(double hitPct, OptionalInt recordedSessions) {}

    /**
     * @param check the simulated check
     * @param advice what would move the limit
     */
    record Simulated(Optional<CapacityCheck> check, List<Advice> advice) {
        /** Nothing was simulated. */
        static final Simulated NOTHING = new Simulated(Optional.empty(), List.of());

        Simulated {
            Objects.requireNonNull(check, "check");
            advice = List.copyOf(advice);
        }

        /** The check alone. */
        static Simulated of(CapacityCheck check) {
            return new Simulated(Optional.of(check), List.of());
        }
    }
}
