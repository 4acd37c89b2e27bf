package dev.warmroute.simulator.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One policy's outcome, simulated or measured: the mean over the seeds where there were several. What was not computed is
 * empty, never 0.
 *
 * @param policy name of the policy
 * @param requests requests that were sent
 * @param promptTokens sum of the prompts of the requests that got their first token
 * @param cachedTokens prompt tokens of those found in the prefix cache at admission
 * @param hitPct {@code cachedTokens / promptTokens}, in percent
 * @param outputTokensPerMin generated tokens per minute, over the time from the first send to the last byte, or over the
 *     length of a workload
 * @param ttftP50S median of the time from the client's send to the first byte, in seconds, holding included
 * @param ttftP95S its 95th percentile
 * @param replicasBusy mean number of replicas that had work
 * @param stayedPct of the turns after a conversation's first, those sent to the replica of the turn before, in percent
 * @param preemptions requests pushed out of the running batch to be recomputed
 * @param sessionP50S median of the time from a session's first send to its last byte, in seconds; unfinished sessions enter
 *     as their age at the end
 * @param sessionP95S its 95th percentile
 * @param unfinishedSessions sessions that had not ended when the run did
 * @param interval low and high of a figure by its field name, of a cause of misses in tokens by {@code misses.CAUSE}; what
 *     the intervals are, the result says
 * @param misses missed prompt tokens by cause; they sum to {@code promptTokens - cachedTokens} when present
 * @param kinds number of decisions by kind
 * @param externalQueries prompt tokens that were not found on the card; only with host memory behind it
 * @param externalHits of these, loaded from host memory; part of {@code cachedTokens}
 * @param sessionFairness Jain's index over the sessions' tokens per second of waiting and answering: 1 when all are served alike
 * @param overflows what sending conversations elsewhere for a turn cost; empty without a simulation
 * @param byReplica the same for each replica's requests; empty without a simulation
 * @param byTurn the same for each turn of the conversations; empty without sessions
 */
public record PolicyRow(
        String policy,
        long requests,
        long promptTokens,
        OptionalLong cachedTokens,
        OptionalDouble hitPct,
        OptionalDouble outputTokensPerMin,
        @JsonProperty("ttft_p50_s") OptionalDouble ttftP50S,
        @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S,
        OptionalDouble replicasBusy,
        OptionalDouble stayedPct,
        OptionalLong preemptions,
        @JsonProperty("session_p50_s") OptionalDouble sessionP50S,
        @JsonProperty("session_p95_s") OptionalDouble sessionP95S,
        OptionalLong unfinishedSessions,
        SortedMap<String, Interval> interval,
        SortedMap<String, Long> misses,
        SortedMap<String, Long> kinds,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalLong externalQueries,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalLong externalHits,
        OptionalDouble sessionFairness,
        Optional<Overflows> overflows,
        List<GroupRow> byReplica,
        List<GroupRow> byTurn) {
    public PolicyRow {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(sessionFairness, "sessionFairness");
        Objects.requireNonNull(overflows, "overflows");
        byReplica = List.copyOf(byReplica);
        byTurn = List.copyOf(byTurn);
        interval = Collections.unmodifiableSortedMap(new TreeMap<>(interval));
        misses = Collections.unmodifiableSortedMap(new TreeMap<>(misses));
        kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
    }

    /** A row without the figures that only a simulation has. */
    public PolicyRow(
            String policy,
            long requests,
            long promptTokens,
            OptionalLong cachedTokens,
            OptionalDouble hitPct,
            OptionalDouble outputTokensPerMin,
            OptionalDouble ttftP50S,
            OptionalDouble ttftP95S,
            OptionalDouble replicasBusy,
            OptionalDouble stayedPct,
            OptionalLong preemptions,
            OptionalDouble sessionP50S,
            OptionalDouble sessionP95S,
            OptionalLong unfinishedSessions,
            SortedMap<String, Interval> interval,
            SortedMap<String, Long> misses,
            SortedMap<String, Long> kinds) {
        this(
                policy,
                requests,
                promptTokens,
                cachedTokens,
                hitPct,
                outputTokensPerMin,
                ttftP50S,
                ttftP95S,
                replicasBusy,
                stayedPct,
                preemptions,
                sessionP50S,
                sessionP95S,
                unfinishedSessions,
                interval,
                misses,
                kinds,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** The same with what host memory did. */
    PolicyRow withExternal(long queries, long hits) {
        return new PolicyRow(
                policy,
                requests,
                promptTokens,
                cachedTokens,
                hitPct,
                outputTokensPerMin,
                ttftP50S,
                ttftP95S,
                replicasBusy,
                stayedPct,
                preemptions,
                sessionP50S,
                sessionP95S,
                unfinishedSessions,
                interval,
                misses,
                kinds,
                OptionalLong.of(queries),
                OptionalLong.of(hits),
                sessionFairness,
                overflows,
                byReplica,
                byTurn);
    }
}
