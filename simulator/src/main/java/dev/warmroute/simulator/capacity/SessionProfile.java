package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.Quantiles;
import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How large a trace's sessions are and how many there are at a time, gathered request by request: what the {@link Rule} needs
 * to know. Contexts and answers are taken over all turns of sessions, as the cache meets them.
 */
public final class SessionProfile {
    /** First prompts that are compared with all others to find the shared prefix. */
    private static final int PIVOTS = 9;

    private static final double P95 = 0.95;

    private static final class Session {
        private Prompt first = Prompt.empty();
        private long start = Long.MAX_VALUE;
        private long end = Long.MIN_VALUE;
        private long last = Turn.UNKNOWN;
    }

    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private final DoubleArrayList contexts = new DoubleArrayList();
    private final DoubleArrayList answers = new DoubleArrayList();
    private final DoubleArrayList cyclesS = new DoubleArrayList();
    private final DoubleArrayList pausesS = new DoubleArrayList();

    /** Takes one request; those without a session do not count. */
    public void add(Turn turn) {
        if (!turn.hasSession()) {
            return;
        }
        Session session = sessions.computeIfAbsent(turn.session(), k -> new Session());
        if (session.first.tokens() == 0 && turn.agent().isEmpty()) {
            session.first = turn.prompt();
        }
        if (session.last != Turn.UNKNOWN && turn.arrivalNanos() >= session.last) {
            cyclesS.add((turn.arrivalNanos() - session.last) / 1e9);
        }
        if (turn.gapNanos() != Turn.UNKNOWN) {
            pausesS.add(Math.max(0, turn.gapNanos()) / 1e9);
        }
        session.last = turn.arrivalNanos();
        session.start = Math.min(session.start, turn.arrivalNanos());
        session.end = Math.max(
                session.end, turn.arrivalNanos() + Math.max(0, turn.recorded().durationNanos()));
        contexts.add(turn.prompt().tokens());
        answers.add(turn.outputTokens());
    }

    /** Number of sessions seen. */
    public int sessions() {
        return sessions.size();
    }

    /**
     * Returns the number of sessions that are open at the same time for all but 5 % of the time between the first start and
     * the last end; empty without sessions. Means something only when the sessions are on one clock.
     */
    public OptionalInt concurrent() {
        if (sessions.isEmpty()) {
            return OptionalInt.empty();
        }
        long[] starts =
                sessions.values().stream().mapToLong(s -> s.start).sorted().toArray();
        long[] ends = sessions.values().stream().mapToLong(s -> s.end).sorted().toArray();
        long[] timeWith = new long[starts.length + 1];
        long now = starts[0];
        int open = 0;
        for (int i = 0, j = 0; j < ends.length; ) {
            boolean starting = i < starts.length && starts[i] <= ends[j];
            long at = starting ? starts[i] : ends[j];
            timeWith[open] += at - now;
            now = at;
            if (starting) {
                i++;
                open++;
            } else {
                j++;
                open--;
            }
        }
        long total = Arrays.stream(timeWith).sum();
        long below = 0;
        for (int n = 0; n < timeWith.length; n++) {
            below += timeWith[n];
            if (below >= P95 * total) {
                return OptionalInt.of(Math.max(1, n));
            }
        }
        return OptionalInt.of(starts.length);
    }

    /**
     * Mean time between the end of a turn and the next one of its session, in seconds, as recorded; empty when the trace does not
     * say. What serving takes is not in it.
     */
    public OptionalDouble pauseMeanS() {
        return Quantiles.of(pausesS.elements(), pausesS.size()).mean();
    }

    /**
     * 95th percentile of the time from one request of a session to its next, serving included, in seconds; empty when no session
     * has two.
     */
    public OptionalDouble turnCycleP95S() {
        return Quantiles.of(cyclesS.elements(), cyclesS.size()).at(P95);
    }

    /**
     * Returns the prefix that at least half of the sessions' first prompts share, in tokens; 0 with fewer than two sessions.
     */
    public int sharedTokens() {
        List<Prompt> firsts = new ArrayList<>();
        for (Session s : sessions.values()) {
            if (s.first.tokens() > 0) {
                firsts.add(s.first);
            }
        }
        int n = firsts.size();
        if (n < 2) {
            return 0;
        }
        int longest = 0;
        for (int p = 0; p < Math.min(PIVOTS, n); p++) {
            Prompt pivot = firsts.get((int) ((long) p * n / Math.min(PIVOTS, n)));
            int[] shared =
                    firsts.stream().mapToInt(pivot::commonPrefix).sorted().toArray();
            // The pivot shares all with itself; at least half share what stands here.
            longest = Math.max(longest, shared[n - Math.max(2, (n + 1) / 2)]);
        }
        return longest;
    }

    /**
     * Returns the demand of so many such sessions.
     *
     * @throws IllegalStateException if no session was seen
     */
    public Demand demand(int concurrentSessions) {
        if (contexts.isEmpty()) {
            throw new IllegalStateException("no sessions in the trace");
        }
        Quantiles context = Quantiles.of(contexts.elements(), contexts.size());
        Quantiles answer = Quantiles.of(answers.elements(), answers.size());
        double mean = context.mean().orElseThrow();
        double answerMean = answer.mean().orElseThrow();
        return new Demand(
                concurrentSessions,
                Math.min(sharedTokens(), (long) mean),
                mean,
                Math.max(mean, context.at(P95).orElseThrow()),
                answerMean,
                Math.max(answerMean, answer.at(P95).orElseThrow()));
    }
}
