package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What the rule says of a workload on a cache, and what became of it in the simulation.
 *
 * @param rule the rule's own verdict, not lowered by what was simulated
 * @param utilisationMean of the fullest replica with mean contexts
 * @param utilisationP95 of the fullest replica with contexts at their 95th percentile
 * @param hitPct hit ratio reached, in percent; empty when nothing was served
 * @param ceilingPct hit ratio of the same sessions with caches without limit, in percent; empty when nothing was served
 */
public record RuleTrial(
        Verdict rule, double utilisationMean, double utilisationP95, OptionalDouble hitPct, OptionalDouble ceilingPct) {
    /** Points of the ceiling that a fleet may lose whose sessions fit. */
    public static final double LIMIT_PP = CapacityAnalysis.LOST_TOO_MUCH_PP;

    public RuleTrial {
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(hitPct, "hitPct");
        Objects.requireNonNull(ceilingPct, "ceilingPct");
    }

    /** Judges a workload: what it asks is known from its description alone. */
    public static RuleTrial of(WorkloadSpec sessions, CacheSize cache, Check how) {
        Rule rule = Rule.even(WorkloadDemand.of(sessions), cache);
        CapacityCheck check = new CapacitySimulation(how, cache).check(sessions, rule, Progress.NONE);
        return of(rule.verdict(), rule.ledger(), check);
    }

    /** Judges the sessions of a trace, as {@code capacity} does. */
    public static RuleTrial ofTrace(String trace, int sessions, CacheSize cache, Check how) {
        CapacityRequest request = new CapacityRequest(
                cache.blockSize(), List.of(), Optional.of(cache), OptionalInt.of(sessions), Optional.of(how));
        try (TraceReader reader = TraceSource.open(trace)) {
            CapacityResult result = CapacityAnalysis.ofTrace(reader, request, Progress.NONE);
            CapacityCheck check = result.simulation().orElseThrow();
            return of(result.checks().orElseThrow().rule(), result.rule().orElseThrow(), check);
        }
    }

    private static RuleTrial of(Verdict verdict, RuleLedger ledger, CapacityCheck check) {
        return new RuleTrial(
                verdict,
                ledger.replicas().stream()
                        .mapToDouble(RuleLedger.Replica::utilisationMean)
                        .max()
                        .orElseThrow(),
                ledger.replicas().stream()
                        .mapToDouble(RuleLedger.Replica::utilisationP95)
                        .max()
                        .orElseThrow(),
                check.hitPct(),
                check.ceilingPct());
    }

    /** Percentage points of the ceiling that are lost; empty when nothing was served. */
    public OptionalDouble lostPp() {
        return below(hitPct);
    }

    /** How far a hit ratio, in percent, lies below the ceiling, in percentage points. */
    public OptionalDouble below(OptionalDouble pct) {
        return ceilingPct.isPresent() && pct.isPresent()
                ? OptionalDouble.of(ceilingPct.getAsDouble() - pct.getAsDouble())
                : OptionalDouble.empty();
    }
}
