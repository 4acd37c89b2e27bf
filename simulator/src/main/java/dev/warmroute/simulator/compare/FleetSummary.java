package dev.warmroute.simulator.compare;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The simulated fleet and how the trace was played on it.
 *
 * @param mode {@code serial}, {@code open} (recorded arrival times), {@code closed} (next turn after the last one ended) or
 *     {@code partly_open} (the same, with sessions that start at random)
 * @param arrivals when sessions begin, see {@link Subject.Arrivals}: {@code recorded, users, rate, in_turn}
 * @param users sessions at the same time, for {@code users} and {@code in_turn}; empty otherwise
 * @param replicas number of replicas
 * @param blockSize tokens of a KV block
 * @param usableBlocks blocks of a replica that can hold a prompt; empty when capacity is without limit
 * @param capacitySource where the capacity comes from: {@code reported}, {@code derived}, {@code given} or {@code unlimited}
 * @param timing name of the step-time law; empty when there is no timing
 * @param seeds runs with different seeds behind each row
 * @param scrapeIntervalS age up to which the policy's engine signals grow, in seconds
 * @param capacity how the capacity was found, in one sentence; empty when that needs none
 * @param warnings what no size of cache would mend, one sentence each
 */
public record FleetSummary(
        String mode,
        String arrivals,
        OptionalInt users,
        int replicas,
        int blockSize,
        OptionalInt usableBlocks,
        String capacitySource,
        String timing,
        int seeds,
        double scrapeIntervalS,
        String capacity,
        List<String> warnings) {
    public FleetSummary {
        Objects.requireNonNull(capacity, "capacity");
        warnings = List.copyOf(warnings);
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(arrivals, "arrivals");
        Objects.requireNonNull(users, "users");
        Objects.requireNonNull(usableBlocks, "usableBlocks");
        Objects.requireNonNull(capacitySource, "capacitySource");
        Objects.requireNonNull(timing, "timing");
    }

    /** A fleet whose capacity needs no explanation. */
    public FleetSummary(
            String mode,
            String arrivals,
            OptionalInt users,
            int replicas,
            int blockSize,
            OptionalInt usableBlocks,
            String capacitySource,
            String timing,
            int seeds,
            double scrapeIntervalS) {
        this(
                mode,
                arrivals,
                users,
                replicas,
                blockSize,
                usableBlocks,
                capacitySource,
                timing,
                seeds,
                scrapeIntervalS,
                "",
                List.of());
    }

    /** The same with what is to be said about its capacity. */
    public FleetSummary explained(String sentence, List<String> said) {
        return new FleetSummary(
                mode,
                arrivals,
                users,
                replicas,
                blockSize,
                usableBlocks,
                capacitySource,
                timing,
                seeds,
                scrapeIntervalS,
                sentence,
                said);
    }
}
