package dev.warmroute.simulator.validate;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.simulator.capacity.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Answer of {@code validate rule}: what the capacity rule says beside what became of the cache.
 *
 * @param seed of the synthetic fleets
 * @param fleets synthetic fleets
 * @param limitPp points of the ceiling that sessions that fit may lose
 * @param falseGreens cases in which the rule says <em>fits</em> and more than that is lost; a measured loss counts like a
 *     simulated one
 * @param falseReds cases in which the rule says <em>does not fit</em> and no more than that is lost
 * @param verdicts cases by the rule's verdict
 * @param cells recorded cells of a real fleet
 * @param synthetic synthetic fleets, in the order of their numbers
 * @param untested cases without a figure, because nothing was served
 * @param ok whether the rule says <em>fits</em> of some case, there is no false green, and no case is untested
 */
public record RuleResult(
        long seed,
        int fleets,
        double limitPp,
        int falseGreens,
        int falseReds,
        List<Count> verdicts,
        List<Cell> cells,
        List<Fleet> synthetic,
        int untested,
        boolean ok) {
    public RuleResult {
        verdicts = List.copyOf(verdicts);
        cells = List.copyOf(cells);
        synthetic = List.copyOf(synthetic);
    }

    /**
     * Cases of one verdict.
     *
     * @param verdict the rule's
     * @param cases cells and synthetic fleets
     * @param kept those that lose at most 3 points of the ceiling
     * @param lost those that lose more than the limit
     * @param worstPp most points lost
     */
    public record Count(Verdict verdict, int cases, int kept, int lost, double worstPp) {}

    /**
     * One recorded cell, as {@code capacity} judges it: its own sessions, kept where their caches are.
     *
     * @param file name of the file
     * @param policy policy it was recorded under
     * @param sessions sessions at the same time
     * @param utilisationMean of the fullest replica with mean contexts
     * @param utilisationP95 of the fullest replica with contexts at their 95th percentile
     * @param rule verdict of the rule
     * @param ceilingPct hit ratio with one cache without limit, in percent
     * @param simulatedPct hit ratio simulated with affinity
     * @param simulatedLostPp points of the ceiling lost there
     * @param measuredPct hit ratio that the engines reported; empty for a cell recorded without affinity, of which the rule
     *     says nothing
     * @param measuredLostPp points of the ceiling lost there
     */
    public record Cell(
            String file,
            String policy,
            int sessions,
            double utilisationMean,
            double utilisationP95,
            Verdict rule,
            OptionalDouble ceilingPct,
            OptionalDouble simulatedPct,
            OptionalDouble simulatedLostPp,
            OptionalDouble measuredPct,
            OptionalDouble measuredLostPp) {
        public Cell {
            Objects.requireNonNull(rule, "rule");
        }
    }

    /**
     * One synthetic fleet.
     *
     * @param number of the fleet; with the seed it says everything
     * @param machine step times
     * @param replicas number of replicas
     * @param capacityTokens cache of each
     * @param sessions sessions at the same time
     * @param turns turns of a session
     * @param utilisationMean of the fullest replica with mean contexts
     * @param utilisationP95 of the fullest replica with contexts at their 95th percentile
     * @param rule verdict of the rule
     * @param ceilingPct hit ratio with caches without limit, in percent
     * @param hitPct hit ratio reached, in percent
     * @param lostPp points of the ceiling lost
     */
    public record Fleet(
            int number,
            String machine,
            int replicas,
            long capacityTokens,
            int sessions,
            int turns,
            double utilisationMean,
            double utilisationP95,
            Verdict rule,
            OptionalDouble ceilingPct,
            OptionalDouble hitPct,
            @JsonProperty("lost_pp") OptionalDouble lostPp) {
        public Fleet {
            Objects.requireNonNull(rule, "rule");
        }
    }
}
