package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Collections;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one scenario, with the names and units of {@link PolicyRow}. What was not computed is empty, never 0.
 *
 * @param requests requests that were sent
 * @param refused those that are longer than a replica can ever serve
 * @param misses missed prompt tokens by cause
 */
public record ScenarioFigures(
        long requests,
        long refused,
        long promptTokens,
        OptionalLong cachedTokens,
        OptionalDouble hitPct,
        OptionalDouble outputTokensPerMin,
        @JsonProperty("ttft_p50_s") OptionalDouble ttftP50S,
        @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S,
        @JsonProperty("session_p50_s") OptionalDouble sessionP50S,
        @JsonProperty("session_p95_s") OptionalDouble sessionP95S,
        OptionalLong unfinishedSessions,
        OptionalDouble replicasBusy,
        OptionalDouble stayedPct,
        OptionalLong preemptions,
        SortedMap<String, Long> misses) {
    public ScenarioFigures {
        Objects.requireNonNull(cachedTokens, "cachedTokens");
        Objects.requireNonNull(hitPct, "hitPct");
        Objects.requireNonNull(outputTokensPerMin, "outputTokensPerMin");
        Objects.requireNonNull(ttftP50S, "ttftP50S");
        Objects.requireNonNull(ttftP95S, "ttftP95S");
        Objects.requireNonNull(sessionP50S, "sessionP50S");
        Objects.requireNonNull(sessionP95S, "sessionP95S");
        Objects.requireNonNull(unfinishedSessions, "unfinishedSessions");
        Objects.requireNonNull(replicasBusy, "replicasBusy");
        Objects.requireNonNull(stayedPct, "stayedPct");
        Objects.requireNonNull(preemptions, "preemptions");
        misses = Collections.unmodifiableSortedMap(new TreeMap<>(misses));
    }

    static ScenarioFigures of(PolicyRow row, long refused) {
        return new ScenarioFigures(
                row.requests(),
                refused,
                row.promptTokens(),
                row.cachedTokens(),
                row.hitPct(),
                row.outputTokensPerMin(),
                row.ttftP50S(),
                row.ttftP95S(),
                row.sessionP50S(),
                row.sessionP95S(),
                row.unfinishedSessions(),
                row.replicasBusy(),
                row.stayedPct(),
                row.preemptions(),
                row.misses());
    }
}
