package dev.warmroute.export.table;

import dev.warmroute.export.table.TurnRow.Run;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The requests of a replay as {@link TurnRow}s, by the time they were sent. Replicas are named {@code r0, r1, ...}. A replay
 * without a clock has no times but the order. What was sent before the figures begin is left out.
 */
public final class SimulatedTurns {
    private final Run run;
    private final Outcome outcome;
    private final RequestLog log;
    private final IntFunction<Optional<Turn>> replayed;
    private final Map<Integer, Long> turns = new HashMap<>();
    private final Map<Integer, Long> lastEnd = new HashMap<>();
    private final Map<Integer, Integer> lastReplica = new HashMap<>();

    /**
     * @param replayed by its index, the turn of the trace whose names of session and agent a row takes; empty for a workload,
     *     whose sessions are named {@code s0, s1, ...} in the order in which they became known
     */
    public SimulatedTurns(Run run, Outcome outcome, IntFunction<Optional<Turn>> replayed) {
        this.run = run;
        this.outcome = outcome;
        this.log = outcome.requests();
        this.replayed = replayed;
    }

    /** Returns the rows of a workload's replay. */
    public static List<TurnRow> of(String policy, long seed, Outcome outcome) {
        List<TurnRow> rows = new ArrayList<>();
        new SimulatedTurns(Run.simulated(policy, seed), outcome, i -> Optional.empty()).forEach(rows::add);
        return rows;
    }

    /** Hands out one row for each request that was sent and counts. Used once. */
    public void forEach(Consumer<TurnRow> rows) {
        IntStream.range(0, log.size())
                .filter(log::wasSent)
                .boxed()
                .sorted((a, b) -> Long.compare(log.sent(a), log.sent(b)))
                .forEach(r -> {
                    TurnRow row = row(r);
                    if (outcome.counts(r)) {
                        rows.accept(row);
                    }
                });
    }

    private TurnRow row(int r) {
        int conversation = log.conversation(r);
        boolean inSession = conversation != RequestLog.NOT_YET;
        boolean routed = log.replica(r) != RequestLog.NOT_YET;
        long turn = inSession ? turns.merge(conversation, 1L, Long::sum) : 0;
        OptionalLong before = inSession ? optional(lastEnd.get(conversation)) : OptionalLong.empty();
        Optional<Integer> home = inSession ? Optional.ofNullable(lastReplica.get(conversation)) : Optional.empty();
        OptionalLong last = time(log.end(r));
        if (inSession && last.isPresent()) {
            lastEnd.put(conversation, log.end(r));
        }
        if (inSession && routed) {
            lastReplica.put(conversation, log.replica(r));
        }
        Optional<Turn> named = replayed.apply(log.index(r));
        return new TurnRow(
                run,
                inSession ? named.map(Turn::session).orElse("s" + log.session(r)) : "",
                named.map(Turn::agent).orElse(""),
                turn,
                Optional.empty(),
                routed ? Optional.of("r" + log.replica(r)) : Optional.empty(),
                home.map(h -> "r" + h),
                log.kind(r).wireName(),
                new TurnRow.Times(
                        log.sent(r),
                        time(log.admittedAt(r)),
                        time(log.first(r)),
                        last,
                        outcome.timed() && before.isPresent()
                                ? OptionalLong.of(log.sent(r) - before.getAsLong())
                                : OptionalLong.empty()),
                tokens(r),
                outcome.timed() ? OptionalLong.of(log.preemptions(r)) : OptionalLong.empty());
    }

    private TurnRow.Tokens tokens(int r) {
        boolean admitted = log.wasAdmitted(r);
        Map<MissCause, Long> missed = new EnumMap<>(MissCause.class);
        if (admitted) {
            for (MissCause cause : MissCause.values()) {
                missed.put(cause, (long) log.missed(r, cause));
            }
        }
        return new TurnRow.Tokens(
                OptionalLong.of(log.promptTokens(r)),
                admitted ? OptionalLong.of(log.cachedTokens(r)) : OptionalLong.empty(),
                OptionalLong.of(log.produced(r)),
                missed);
    }

    /** A moment; empty when it did not come before the replay ended, or there is no clock. */
    private OptionalLong time(long nanos) {
        return outcome.timed() && nanos != RequestLog.NOT_YET && nanos <= outcome.endNanos()
                ? OptionalLong.of(nanos)
                : OptionalLong.empty();
    }

    private static OptionalLong optional(Long value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
