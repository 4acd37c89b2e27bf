package dev.warmroute.simulator.load;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/**
 * The figures of a load. Times are model seconds: measured seconds times the speed; {@link #wall} gives them back as measured.
 * Rates and shares are over the time in which turns were started; latencies are over all answered requests.
 *
 * @param speed model seconds in a second of the wall clock
 * @param seconds time in which turns were started: as asked for, or less when the last round ended before
 * @param requests requests sent
 * @param failures those that were not answered completely
 * @param firstError what the first of these said; empty if there was none
 * @param sessionsFinished sessions that reached their last turn
 * @param sessionsFailed sessions that a failed request ended
 * @param sessionsUnfinished sessions under way when the run ended
 * @param promptTokens prompt tokens of answered requests
 * @param cachedTokens prompt tokens that the servers said were cached
 * @param outputTokens output tokens of answered requests
 * @param outputTokensPerMinute output tokens of requests answered within {@code seconds}, a model minute
 * @param hitPercent share of cached prompt tokens in percent, over requests whose server said how many were; empty if none did
 * @param ttfbP50 time from sending to the first byte of the answer's body, median; empty without answers
 * @param ttfbP95 its 95th percentile
 * @param sessionP50 time from a session's first sending to its last byte, median; a session that is not finished enters with
 *     its age; empty without sessions
 * @param sessionP95 its 95th percentile
 */
public record AgentLoadSummary(
        double speed,
        double seconds,
        int requests,
        int failures,
        String firstError,
        int sessionsFinished,
        int sessionsFailed,
        int sessionsUnfinished,
        long promptTokens,
        long cachedTokens,
        long outputTokens,
        double outputTokensPerMinute,
        OptionalDouble hitPercent,
        OptionalDouble ttfbP50,
        OptionalDouble ttfbP95,
        OptionalDouble sessionP50,
        OptionalDouble sessionP95) {

    static AgentLoadSummary of(
            double speed,
            double seconds,
            List<RequestOutcome> requests,
            List<Long> sessionNanos,
            long[] unfinishedNanos,
            int failedSessions) {
        List<RequestOutcome> answered =
                requests.stream().filter(RequestOutcome::ok).toList();
        long window = Math.round(seconds / speed * 1e9);
        long inWindow = answered.stream()
                .filter(r -> r.lastByteNanos() <= window)
                .mapToLong(r -> Math.max(0, r.completionTokens()))
                .sum();
        List<RequestOutcome> told =
                answered.stream().filter(r -> r.cachedTokens() >= 0).toList();
        long toldPrompt = told.stream().mapToLong(RequestOutcome::promptTokens).sum();
        long cached = told.stream().mapToLong(RequestOutcome::cachedTokens).sum();
        double[] ttfb = answered.stream()
                .filter(r -> r.firstByteNanos() >= 0)
                .mapToDouble(r -> (r.firstByteNanos() - r.sentNanos()) * 1e-9 * speed)
                .sorted()
                .toArray();
        double[] sessions = LongStream.concat(
                        sessionNanos.stream().mapToLong(Long::longValue), Arrays.stream(unfinishedNanos))
                .mapToDouble(nanos -> nanos * 1e-9 * speed)
                .sorted()
                .toArray();
        return new AgentLoadSummary(
                speed,
                seconds,
                requests.size(),
                requests.size() - answered.size(),
                requests.stream()
                        .map(RequestOutcome::error)
                        .filter(e -> !e.isEmpty())
                        .findFirst()
                        .orElse(""),
                sessionNanos.size(),
                failedSessions,
                unfinishedNanos.length,
                answered.stream().mapToLong(r -> Math.max(0, r.promptTokens())).sum(),
                cached,
                answered.stream()
                        .mapToLong(r -> Math.max(0, r.completionTokens()))
                        .sum(),
                inWindow * 60.0 / seconds,
                toldPrompt == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * cached / toldPrompt),
                quantile(ttfb, 0.5),
                quantile(ttfb, 0.95),
                quantile(sessions, 0.5),
                quantile(sessions, 0.95));
    }

    /** Returns a model time as it was measured, in seconds of the wall clock. */
    public double wall(double modelSeconds) {
        return modelSeconds / speed;
    }

    /** Linear interpolation between the two nearest of the sorted values. */
    private static OptionalDouble quantile(double[] sorted, double q) {
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        double at = q * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return OptionalDouble.of(sorted[below] + (at - below) * (sorted[above] - sorted[below]));
    }
}
