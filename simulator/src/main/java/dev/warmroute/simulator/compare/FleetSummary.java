package dev.warmroute.simulator.compare;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * The simulated fleet and how the trace was played on it.
 *
 * @param mode {@code serial}, {@code open} (recorded arrival times) or {@code closed} (next turn after the last one ended)
 * @param replicas number of replicas
 * @param blockSize tokens of a KV block
 * @param usableBlocks blocks of a replica that can hold a prompt; empty when capacity is without limit
 * @param capacitySource where the capacity comes from: {@code reported}, {@code derived}, {@code given} or {@code unlimited}
 * @param timing name of the step-time law; empty when there is no timing
 * @param seeds runs with different seeds behind each row
 * @param scrapeIntervalS age up to which the policy's engine signals grow, in seconds
 */
public record FleetSummary(
        String mode,
        int replicas,
        int blockSize,
        OptionalInt usableBlocks,
        String capacitySource,
        String timing,
        int seeds,
        double scrapeIntervalS) {
    public FleetSummary {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(usableBlocks, "usableBlocks");
        Objects.requireNonNull(capacitySource, "capacitySource");
        Objects.requireNonNull(timing, "timing");
    }
}
