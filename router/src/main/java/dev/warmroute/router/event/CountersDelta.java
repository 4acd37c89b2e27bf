package dev.warmroute.router.event;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code counters.delta.v1}: what a replica's counters gained between two scrapes. The deltas of an epoch add up to the last
 * value minus the first. Epoch 0 begins with whatever the engine had counted before, so its first event has no deltas; a
 * later epoch began at 0 under our eyes, so its first event has the values themselves as deltas.
 *
 * @param engine engine index (data-parallel rank) on the page; 0 when the page has no such label
 * @param scrapedUs when the page was read, microseconds since the epoch
 * @param intervalMs time since the previous scrape of this epoch, in milliseconds; 0 for the first
 * @param epoch how often this engine has been seen to start again, from 0
 * @param reset whether this is the first scrape of a later epoch, because counters fell or the process start changed
 * @param deltas gain of each counter since the scrape before, by name without {@code vllm:} and {@code _total}; a series
 *     that is split by a label has a name for each value, as in {@code request_success{stop}}; sum and count of a histogram
 *     are counters too
 * @param totals absolute values of the counters on this page
 * @param gauges gauges by name without {@code vllm:}
 * @param absent counters that warmroute's figures need and this page does not have
 * @param blockSize tokens a block, from {@code cache_config_info}
 * @param numGpuBlocks KV blocks including the null block, from {@code cache_config_info}
 * @param engineVersion version the engine reports
 */
public record CountersDelta(
        String replica,
        int engine,
        long scrapedUs,
        long intervalMs,
        int epoch,
        boolean reset,
        Map<String, Double> deltas,
        Map<String, Double> totals,
        Map<String, Double> gauges,
        List<String> absent,
        OptionalInt blockSize,
        OptionalInt numGpuBlocks,
        Optional<String> engineVersion,
        RouterIdentity router)
        implements Event {
    public CountersDelta {
        deltas = Map.copyOf(deltas);
        totals = Map.copyOf(totals);
        gauges = Map.copyOf(gauges);
        absent = List.copyOf(absent);
    }

    @Override
    public String key() {
        return replica;
    }

    @Override
    public String subject() {
        return replica;
    }
}
