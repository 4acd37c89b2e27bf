package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.ReplicaSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the replicas' caches held over time, in percent of their blocks, read at scrapes.
 *
 * @param atS moments, in seconds from the first send
 * @param replicas by number
 */
public record Occupancy(List<Double> atS, List<OfReplica> replicas) {
    private static final int MOMENTS = 100;

    public Occupancy {
        atS = List.copyOf(atS);
        replicas = List.copyOf(replicas);
    }

    /**
     * One replica at each moment.
     *
     * @param heldPct blocks that requests hold
     * @param keptPct at least so many besides are cached and nobody's: the cached ones less the held ones
     */
    public record OfReplica(List<Double> heldPct, List<Double> keptPct) {
        public OfReplica {
            heldPct = List.copyOf(heldPct);
            keptPct = List.copyOf(keptPct);
        }
    }

    static Optional<Occupancy> of(Outcome outcome, RunMachine machine) {
        ReplicaSamples samples = outcome.samples();
        if (samples.size() < 2 || machine.usableBlocks().isEmpty()) {
            return Optional.empty();
        }
        double blocks = machine.usableBlocks().getAsInt();
        int every = Math.ceilDiv(samples.size(), MOMENTS);
        List<Double> at = new ArrayList<>();
        for (int i = 0; i < samples.size(); i += every) {
            at.add(Math.max(0, samples.at(i) - outcome.startNanos()) / Requests.SECOND);
        }
        List<OfReplica> replicas = new ArrayList<>();
        for (int replica = 0; replica < samples.replicas(); replica++) {
            List<Double> held = new ArrayList<>();
            List<Double> kept = new ArrayList<>();
            for (int i = 0; i < samples.size(); i += every) {
                double h = samples.heldBlocks(i, replica);
                held.add(100 * h / blocks);
                kept.add(100 * Math.clamp(samples.cachedBlocks(i, replica) - h, 0, Math.max(0, blocks - h)) / blocks);
            }
            replicas.add(new OfReplica(held, kept));
        }
        return Optional.of(new Occupancy(at, replicas));
    }
}
