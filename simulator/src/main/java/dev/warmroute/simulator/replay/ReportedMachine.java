package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Topic;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the engines of a recording said of their caches: {@code vllm:cache_config_info} as it was scraped.
 *
 * @param replicas replicas that said it
 * @param blockSize tokens a block
 * @param numGpuBlocks blocks of a replica, the null block included; the fewest, where replicas differ
 * @param alike whether all said the same
 */
public record ReportedMachine(int replicas, int blockSize, int numGpuBlocks, boolean alike) {
    /** Readings of one replica after which all have been read that are. */
    private static final int ENOUGH = 5;

    /** Reads the first scrapes of a recording; empty when no engine said how large its cache is. */
    public static Optional<ReportedMachine> of(Recording recording) {
        EventCodec codec = new EventCodec();
        SortedMap<String, CountersDelta> said = new TreeMap<>();
        SortedMap<String, Integer> readings = new TreeMap<>();
        try (EventCursor events = recording.events(Topic.COUNTERS)) {
            while (events.hasNext()) {
                Event event = events.next().event(codec);
                if (event instanceof CountersDelta c) {
                    if (c.numGpuBlocks().isPresent() && c.blockSize().isPresent()) {
                        said.put(c.replica() + '/' + c.engine(), c);
                    }
                    if (readings.merge(c.replica() + '/' + c.engine(), 1, Integer::sum) >= ENOUGH) {
                        break;
                    }
                }
            }
        }
        return said.isEmpty() ? Optional.empty() : Optional.of(of(said));
    }

    private static ReportedMachine of(SortedMap<String, CountersDelta> said) {
        CountersDelta first = said.get(said.firstKey());
        int blocks = Integer.MAX_VALUE;
        boolean alike = true;
        for (CountersDelta c : said.values()) {
            blocks = Math.min(blocks, c.numGpuBlocks().getAsInt());
            alike &= c.numGpuBlocks().equals(first.numGpuBlocks()) && c.blockSize().equals(first.blockSize());
        }
        return new ReportedMachine(said.size(), first.blockSize().getAsInt(), blocks, alike);
    }

    /** The arithmetic, in one sentence. */
    public String explanation() {
        return numGpuBlocks + " blocks of " + blockSize + " tokens, reported by " + (alike ? "the engines" : "the smallest engine");
    }
}
