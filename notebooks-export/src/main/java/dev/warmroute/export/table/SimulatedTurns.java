package dev.warmroute.export.table;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The requests of a replay as {@link TurnRow}s. Sessions are named {@code s0, s1, ...} in the order in which they became
 * known, replicas {@code r0, r1, ...}. A replay without a clock has no times but the order.
 */
public final class SimulatedTurns {
    private static final double SECOND = 1e9;

    private final String runId;
    private final String policy;
    private final long seed;
    private final RequestLog log;
    private final boolean timed;
    private final long endNanos;
    private final Map<Integer, Long> turns = new HashMap<>();
    private final Map<Integer, Long> lastEnd = new HashMap<>();
    private final Map<Integer, Integer> lastReplica = new HashMap<>();

    private SimulatedTurns(String runId, String policy, long seed, Outcome outcome) {
        this.runId = runId;
        this.policy = policy;
        this.seed = seed;
        this.log = outcome.requests();
        this.timed = outcome.timed();
        this.endNanos = outcome.endNanos();
    }

    /** Returns one row for each request that was sent, by the time it was. */
    public static List<TurnRow> of(String runId, String policy, long seed, Outcome outcome) {
        SimulatedTurns join = new SimulatedTurns(runId, policy, seed, outcome);
        List<Integer> sent = new ArrayList<>();
        for (int r = 0; r < join.log.size(); r++) {
            if (join.log.wasSent(r)) {
                sent.add(r);
            }
        }
        sent.sort((a, b) -> Long.compare(join.log.sent(a), join.log.sent(b)));
        return sent.stream().map(join::row).toList();
    }

    private TurnRow row(int r) {
        int conversation = log.conversation(r);
        boolean inSession = conversation != RequestLog.NOT_YET;
        long turn = inSession ? turns.merge(conversation, 1L, Long::sum) : 0;
        OptionalDouble first = time(log.hasFirst(r), log.first(r));
        OptionalDouble last = time(log.hasEnded(r), log.end(r));
        Long before = inSession ? lastEnd.get(conversation) : null;
        Integer home = inSession ? lastReplica.get(conversation) : null;
        boolean routed = log.replica(r) != RequestLog.NOT_YET;
        if (inSession && last.isPresent()) {
            lastEnd.put(conversation, log.end(r));
        }
        if (inSession && routed) {
            lastReplica.put(conversation, log.replica(r));
        }
        return new TurnRow(
                runId,
                policy,
                seed,
                inSession ? "s" + log.session(r) : "",
                turn,
                Optional.empty(),
                routed ? Optional.of("r" + log.replica(r)) : Optional.empty(),
                home == null ? Optional.empty() : Optional.of("r" + home),
                log.kind(r).wireName(),
                log.sent(r) / SECOND,
                OptionalDouble.empty(),
                first,
                last,
                before == null || !timed ? OptionalDouble.empty() : OptionalDouble.of((log.sent(r) - before) / SECOND),
                OptionalLong.of(log.promptTokens(r)),
                log.wasAdmitted(r) ? OptionalLong.of(log.cachedTokens(r)) : OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(log.produced(r)),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                first.isPresent() ? OptionalDouble.of((log.first(r) - log.sent(r)) / SECOND) : OptionalDouble.empty(),
                perToken(r, first, last),
                OptionalLong.of(log.preemptions(r)),
                Optional.empty());
    }

    /** A moment in seconds; empty when it did not come before the replay ended, or there is no clock. */
    private OptionalDouble time(boolean came, long nanos) {
        return timed && came && nanos <= endNanos ? OptionalDouble.of(nanos / SECOND) : OptionalDouble.empty();
    }

    private OptionalDouble perToken(int r, OptionalDouble first, OptionalDouble last) {
        return first.isPresent() && last.isPresent() && log.produced(r) > 1
                ? OptionalDouble.of((last.getAsDouble() - first.getAsDouble()) / (log.produced(r) - 1))
                : OptionalDouble.empty();
    }
}
