package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.SessionLog;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures of one replay. */
public final class OutcomeRow {
    private static final double SECOND = 1e9;

    private OutcomeRow() {}

    /**
     * Sums up a replay.
     *
     * @param policy name of the row
     * @param hostMemory whether there was host memory behind the caches
     */
    static PolicyRow of(String policy, Outcome outcome, boolean hostMemory) {
        PolicyRow row = of(policy, outcome);
        return hostMemory ? row.withExternal(notOnTheCard(outcome), loaded(outcome)) : row;
    }

    private static long loaded(Outcome outcome) {
        RequestLog log = outcome.requests();
        long tokens = 0;
        for (int r = 0; r < log.size(); r++) {
            tokens += outcome.counts(r) && log.wasAdmitted(r) ? log.loadedTokens(r) : 0;
        }
        return tokens;
    }

    private static long notOnTheCard(Outcome outcome) {
        RequestLog log = outcome.requests();
        long tokens = loaded(outcome);
        for (int r = 0; r < log.size(); r++) {
            tokens += outcome.counts(r) && log.wasAdmitted(r) ? log.promptTokens(r) - log.cachedTokens(r) : 0;
        }
        return tokens;
    }

    /**
     * Sums up a replay without host memory.
     *
     * @param policy name of the row
     */
    public static PolicyRow of(String policy, Outcome outcome) {
        RequestLog log = outcome.requests();
        long requests = 0;
        long promptTokens = 0;
        long cachedTokens = 0;
        long preemptions = 0;
        long produced = 0;
        double[] ttft = new double[log.size()];
        int firsts = 0;
        SortedMap<String, Long> kinds = new TreeMap<>();
        for (int r = 0; r < log.size(); r++) {
            if (!outcome.counts(r)) {
                continue;
            }
            requests++;
            produced += log.produced(r);
            preemptions += log.preemptions(r);
            kinds.merge(log.kind(r).wireName(), 1L, Long::sum);
            if (log.wasAdmitted(r)) {
                promptTokens += log.promptTokens(r);
                cachedTokens += log.cachedTokens(r);
            }
            if (log.hasFirst(r) && log.first(r) <= outcome.endNanos()) {
                ttft[firsts++] = (log.first(r) - log.sent(r)) / SECOND;
            }
        }
        boolean timed = outcome.timed();
        double seconds = (outcome.endNanos() - outcome.figuresStartNanos()) / SECOND;
        Quantiles firstByte = Quantiles.of(ttft, firsts);
        SessionTimes sessions = SessionTimes.of(outcome);
        return new PolicyRow(
                policy,
                requests,
                promptTokens,
                OptionalLong.of(cachedTokens),
                promptTokens == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * cachedTokens / promptTokens),
                timed && seconds > 0 ? OptionalDouble.of(produced * 60 / seconds) : OptionalDouble.empty(),
                timed ? firstByte.at(0.5) : OptionalDouble.empty(),
                timed ? firstByte.at(0.95) : OptionalDouble.empty(),
                timed && seconds > 0
                        ? OptionalDouble.of(BusyTime.nanos(outcome) / SECOND / seconds)
                        : OptionalDouble.empty(),
                stayedPct(outcome),
                timed ? OptionalLong.of(preemptions) : OptionalLong.empty(),
                sessions.times.at(0.5),
                sessions.times.at(0.95),
                timed ? OptionalLong.of(sessions.unfinished) : OptionalLong.empty(),
                new TreeMap<>(),
                misses(outcome),
                kinds,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                Optional.of(Overflows.of(outcome)),
                List.of(),
                List.of());
    }

    private static SortedMap<String, Long> misses(Outcome outcome) {
        SortedMap<String, Long> misses = new TreeMap<>();
        for (MissCause cause : MissCause.values()) {
            long tokens = outcome.missedTokens()[cause.ordinal()];
            if (tokens > 0) {
                misses.put(cause.wireName(), tokens);
            }
        }
        return misses;
    }

    /** Of the turns after a conversation's first, the share sent to the replica of the turn before. */
    private static OptionalDouble stayedPct(Outcome outcome) {
        RequestLog log = outcome.requests();
        int[] last = new int[log.conversations()];
        Arrays.fill(last, RequestLog.NOT_YET);
        long followed = 0;
        long stayed = 0;
        for (int r = 0; r < log.size(); r++) {
            int conversation = log.conversation(r);
            if (conversation < 0 || !log.wasSent(r)) {
                continue;
            }
            if (last[conversation] != RequestLog.NOT_YET && outcome.counts(r)) {
                followed++;
                if (last[conversation] == log.replica(r)) {
                    stayed++;
                }
            }
            last[conversation] = log.replica(r);
        }
        return followed == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * stayed / followed);
    }

    private record SessionTimes(Quantiles times, long unfinished) {
        static SessionTimes of(Outcome outcome) {
            SessionLog sessions = outcome.sessions();
            double[] times = new double[sessions.size()];
            int started = 0;
            long unfinished = 0;
            for (int s = 0; s < sessions.size(); s++) {
                if (!sessions.hasStarted(s)) {
                    continue;
                }
                long end = outcome.endNanos();
                if (sessions.hasEnded(s) && sessions.end(s) <= end) {
                    end = sessions.end(s);
                } else {
                    unfinished++;
                }
                long start = Math.max(sessions.start(s), outcome.countedFromNanos());
                if (end >= start) {
                    times[started++] = (end - start) / SECOND;
                }
            }
            return new SessionTimes(Quantiles.of(times, started), unfinished);
        }
    }
}
