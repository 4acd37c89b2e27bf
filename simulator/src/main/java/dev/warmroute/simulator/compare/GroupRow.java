package dev.warmroute.simulator.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Some of a policy's requests: those of one replica, or those of one turn of their conversations. Means over the seeds.
 *
 * @param name {@code r0} for a replica; {@code 1} or {@code 9-16} for turns
 * @param requests requests that were sent
 * @param promptTokens sum of the prompts that were admitted
 * @param cachedTokens those of them found in the prefix cache
 * @param hitPct {@code cachedTokens / promptTokens} in percent, the mean over the seeds
 * @param ttftP50S median of the time to first token, in seconds
 * @param ttftP95S its 95th percentile
 * @param interval of the three, by field name
 */
public record GroupRow(
        String name,
        long requests,
        long promptTokens,
        long cachedTokens,
        OptionalDouble hitPct,
        @JsonProperty("ttft_p50_s") OptionalDouble ttftP50S,
        @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S,
        SortedMap<String, Interval> interval) {
    public GroupRow {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(hitPct, "hitPct");
        Objects.requireNonNull(ttftP50S, "ttftP50S");
        Objects.requireNonNull(ttftP95S, "ttftP95S");
        interval = Collections.unmodifiableSortedMap(new TreeMap<>(interval));
    }
}
