package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.compare.TraceSummary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Answer of {@code capacity}: {@link dev.warmroute.router.event.EventCodec#mapper()} writes it with the field names that the
 * command promises. Parts that need sessions or a fleet are empty (null in JSON) without them.
 *
 * @param trace what was analysed; empty for a description
 * @param verdict whether it fits
 * @param sessionsFit how many sessions fit
 * @param limit what keeps more from fitting
 * @param capacitySource where the capacity comes from: {@code reported}, {@code derived} or {@code given}; empty without one
 * @param cache the cache of a replica and how it was found; empty without one
 * @param headroom what is left before the rule says no; empty without a verdict
 * @param warnings what no size of cache would mend, one sentence each
 * @param rule the rule, line by line
 * @param reuse reuse-distance curve; empty for a description
 * @param simulation the simulated check
 * @param limits sessions that each resource would serve by itself, the one that binds first at the head
 * @param workingSet what is in use over time; empty for a description, and where sessions are not on one clock
 * @param checks rule, curve and simulation beside each other, and why they differ; empty without a rule
 * @param advice the fleet as it is, then what would move it, the most sessions gained first; empty when it was not asked for
 */
public record CapacityResult(
        Optional<TraceSummary> trace,
        Optional<Verdict> verdict,
        Optional<SessionsFit> sessionsFit,
        Optional<Limit> limit,
        String capacitySource,
        Optional<Cache> cache,
        Optional<Headroom> headroom,
        List<String> warnings,
        Optional<RuleLedger> rule,
        Optional<ReuseCurve> reuse,
        Optional<CapacityCheck> simulation,
        List<LimitBound> limits,
        Optional<WorkingSet> workingSet,
        Optional<ThreeChecks> checks,
        List<Advice> advice) {
    public CapacityResult {
        warnings = List.copyOf(warnings);
        limits = List.copyOf(limits);
        advice = List.copyOf(advice);
    }

    /** An answer whose cache needs no explanation. */
    public CapacityResult(
            Optional<TraceSummary> trace,
            Optional<Verdict> verdict,
            Optional<SessionsFit> sessionsFit,
            Optional<Limit> limit,
            String capacitySource,
            Optional<RuleLedger> rule,
            Optional<ReuseCurve> reuse,
            Optional<CapacityCheck> simulation) {
        this(
                trace,
                verdict,
                sessionsFit,
                limit,
                capacitySource,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                rule,
                reuse,
                simulation,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /**
     * The cache of one replica.
     *
     * @param replicas number of replicas
     * @param blockSize tokens a block
     * @param usableBlocks blocks, the null block not counted
     * @param tokens tokens of full attention that they hold
     * @param tokensLow the least it may be, when it was derived; else the same
     * @param tokensHigh the most it may be
     * @param explanation the arithmetic, or who said it
     */
    public record Cache(
            int replicas,
            int blockSize,
            int usableBlocks,
            long tokens,
            long tokensLow,
            long tokensHigh,
            String explanation) {
        static Cache of(CacheSize size) {
            return new Cache(
                    size.replicas(),
                    size.blockSize(),
                    size.usableBlocks(),
                    size.tokens(),
                    (long) size.lowBlocks() * size.blockSize(),
                    (long) size.highBlocks() * size.blockSize(),
                    size.explanation());
        }
    }

    /**
     * What is left.
     *
     * @param sessions further sessions until the first of the limits binds; negative when there are too many
     * @param tokens capacity left with mean contexts, over all replicas; negative when they do not fit
     * @param days days until those tokens are used up; empty when it is not known how demand grows
     * @param growthTokensPerDay tokens more every day; empty when it is not known
     * @param growth where that comes from, or why it is not known
     */
    public record Headroom(
            int sessions, double tokens, OptionalDouble days, OptionalDouble growthTokensPerDay, String growth) {}

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
