package dev.warmroute.router.fleet;

import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.RouterIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Turns the successive pages of one replica into what its counters gained. For every counter and epoch the deltas add up to
 * the last value minus the first; in an epoch that began under our eyes everything began at 0, so there the first delta is
 * the value itself. A counter that is missing from a page is absent from its deltas, and what it gained meanwhile is in the delta of
 * the page that has it again. Not thread-safe.
 */
public final class DeltaTracker {
    /**
     * Sums of seconds over several processes are added up in an order that varies; a fall by less than this part of the value
     * is rounding, not an engine that was started again.
     */
    private static final double ROUNDING = 1e-9;

    private final String replica;
    private final Map<Integer, Engine> engines = new HashMap<>();

    private static final class Engine {
        private final Map<String, Double> last = new HashMap<>();
        private OptionalDouble processStart = OptionalDouble.empty();
        private long scrapedUs;
        private int epoch = -1;
    }

    /**
     * What one page says about one engine, compared with the page before.
     *
     * @param intervalMs time since the previous page of this epoch, in milliseconds; 0 for its first
     * @param epoch how often the engine was seen to start again
     * @param reset whether this page is the first of an epoch that began after the first page of all
     * @param deltas gain of each counter since the previous page
     */
    public record Reading(
            String replica,
            EngineSnapshot snapshot,
            long scrapedUs,
            long intervalMs,
            int epoch,
            boolean reset,
            Map<String, Double> deltas) {
        public Reading {
            deltas = Map.copyOf(deltas);
        }

        public CountersDelta event(Optional<String> engineVersion, RouterIdentity router) {
            return new CountersDelta(
                    replica,
                    snapshot.engine(),
                    scrapedUs,
                    intervalMs,
                    epoch,
                    reset,
                    deltas,
                    snapshot.counters(),
                    snapshot.gauges(),
                    VllmSeries.absent(snapshot.counters()),
                    snapshot.blockSize(),
                    snapshot.numGpuBlocks(),
                    engineVersion,
                    router);
        }
    }

    public DeltaTracker(String replica) {
        this.replica = replica;
    }

    /**
     * Takes the next page.
     *
     * @param scrapedUs when it was read, microseconds since the epoch
     * @return one reading for each engine on the page
     */
    public List<Reading> advance(List<EngineSnapshot> page, long scrapedUs) {
        List<Reading> readings = new ArrayList<>(page.size());
        for (EngineSnapshot snapshot : page) {
            readings.add(advance(engines.computeIfAbsent(snapshot.engine(), e -> new Engine()), snapshot, scrapedUs));
        }
        return readings;
    }

    private Reading advance(Engine engine, EngineSnapshot now, long scrapedUs) {
        boolean first = engine.epoch < 0;
        boolean reset = !first && startedAgain(engine, now);
        long intervalMs = first || reset ? 0 : (scrapedUs - engine.scrapedUs) / 1000;
        if (first || reset) {
            engine.epoch++;
            engine.last.clear();
        }
        Map<String, Double> deltas = new HashMap<>();
        now.counters().forEach((name, value) -> {
            Double before = engine.last.get(name);
            if (before != null) {
                deltas.put(name, Math.max(0, value - before));
            } else if (engine.epoch > 0) {
                deltas.put(name, value);
            }
            engine.last.merge(name, value, Math::max);
        });
        if (now.processStart().isPresent()) {
            engine.processStart = now.processStart();
        }
        engine.scrapedUs = scrapedUs;
        return new Reading(replica, now, scrapedUs, intervalMs, engine.epoch, reset, deltas);
    }

    private static boolean startedAgain(Engine engine, EngineSnapshot now) {
        if (engine.processStart.isPresent()
                && now.processStart().isPresent()
                && engine.processStart.getAsDouble() != now.processStart().getAsDouble()) {
            return true;
        }
        for (Map.Entry<String, Double> counter : now.counters().entrySet()) {
            Double before = engine.last.get(counter.getKey());
            if (before != null && counter.getValue() < before * (1 - ROUNDING)) {
                return true;
            }
        }
        return false;
    }
}
