package dev.warmroute.simulator.compare;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Policies held against each other on the same requests.
 *
 * @param baseline policy that the others are held against: the first one asked for
 * @param resamples draws behind intervals, probabilities and regrets
 * @param against the other policies, in the order asked for
 * @param ranking one a figure of which one value is better than another
 */
public record PolicyComparison(String baseline, int resamples, List<Against> against, List<Ranking> ranking) {
    public PolicyComparison {
        Objects.requireNonNull(baseline, "baseline");
        against = List.copyOf(against);
        ranking = List.copyOf(ranking);
    }

    /** @param differences by field name of the figure */
    public record Against(String policy, SortedMap<String, Difference> differences) {
        public Against {
            Objects.requireNonNull(policy, "policy");
            differences = Collections.unmodifiableSortedMap(new TreeMap<>(differences));
        }
    }

    /**
     * A policy's figure less the baseline's, paired: both from the same sessions and seeds.
     *
     * @param low lower end of its 95 % interval; empty where a single session or seed has the figure
     * @param high upper end; an interval that has 0 inside says that the two cannot be told apart
     */
    public record Difference(double difference, OptionalDouble low, OptionalDouble high) {
        public Difference {
            if (low.isPresent() != high.isPresent()) {
                throw new IllegalArgumentException("an interval with one end: " + low + " to " + high);
            }
        }

        static Difference of(double difference, Optional<Interval> interval) {
            return new Difference(
                    difference,
                    interval.map(i -> OptionalDouble.of(i.low())).orElse(OptionalDouble.empty()),
                    interval.map(i -> OptionalDouble.of(i.high())).orElse(OptionalDouble.empty()));
        }

        /** Its 95 % interval. */
        public Optional<Interval> interval() {
            return low.isPresent()
                    ? Optional.of(new Interval(low.getAsDouble(), high.getAsDouble()))
                    : Optional.empty();
        }

        /** Whether it is told apart from none. */
        public boolean certain() {
            return interval().filter(i -> i.low() > 0 || i.high() < 0).isPresent();
        }
    }

    /** @param standings the best first; equal ones in the order asked for */
    public record Ranking(String figure, List<Standing> standings) {
        public Ranking {
            Objects.requireNonNull(figure, "figure");
            standings = List.copyOf(standings);
        }
    }

    /**
     * Where a policy stands.
     *
     * @param value its figure
     * @param bestPct share of the resamples in which it is the best, in percent; empty where a single session or seed has the
     *     figure
     * @param regret by how much it is worse than the best of a resample, in the mean, in the figure's unit; empty likewise
     */
    public record Standing(String policy, double value, OptionalDouble bestPct, OptionalDouble regret) {
        public Standing {
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(bestPct, "bestPct");
            Objects.requireNonNull(regret, "regret");
        }
    }
}
