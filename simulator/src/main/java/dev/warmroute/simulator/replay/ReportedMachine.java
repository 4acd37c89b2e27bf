package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the engines of a recording said of their caches: {@code vllm:cache_config_info} as it was scraped.
 *
 * @param replicas replicas that the router chose among
 * @param blockSize tokens a block
 * @param numGpuBlocks blocks of a replica, the null block included; the fewest, where replicas differ
 * @param alike whether all said the same
 */
public record ReportedMachine(int replicas, int blockSize, int numGpuBlocks, boolean alike) {
    /** Readings of one replica after which no more are looked at. */
    private static final int ENOUGH = 5;

    /** What the engines reported in the trace directory that an argument names; empty for other traces. */
    public static Optional<ReportedMachine> ofTrace(String argument) {
        try {
            Path path = Path.of(argument);
            return Recording.isRecording(path) ? of(Recording.open(path)) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

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
        return said.isEmpty() ? Optional.empty() : Optional.of(of(said, candidates(recording, codec)));
    }

    /** Replicas that the first decision chose among: whose counters come later in the recording are among them. */
    private static int candidates(Recording recording, EventCodec codec) {
        try (EventCursor events = recording.events(Topic.DECISIONS)) {
            return events.hasNext() && events.next().event(codec) instanceof RoutingDecision d
                    ? d.candidates().size()
                    : 0;
        }
    }

    private static ReportedMachine of(SortedMap<String, CountersDelta> said, int candidates) {
        CountersDelta first = said.get(said.firstKey());
        int blocks = Integer.MAX_VALUE;
        boolean alike = true;
        for (CountersDelta c : said.values()) {
            blocks = Math.min(blocks, c.numGpuBlocks().getAsInt());
            alike &= c.numGpuBlocks().equals(first.numGpuBlocks())
                    && c.blockSize().equals(first.blockSize());
        }
        return new ReportedMachine(
                Math.max(said.size(), candidates), first.blockSize().getAsInt(), blocks, alike);
    }

    /** The arithmetic, in one sentence. */
    public String explanation() {
        return numGpuBlocks + " blocks of " + blockSize + " tokens, reported by "
                + (alike ? "the engines" : "the smallest engine");
    }
}
