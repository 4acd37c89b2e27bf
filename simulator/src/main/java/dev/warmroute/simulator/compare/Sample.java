package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.SessionLog;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * One replay, in a form of which every figure can be computed again with some sessions left out and others counted twice.
 *
 * <p>The unit is the session: all its requests count as often as it does. A request without a session is a unit by itself.
 * Units are put into at most {@link #GROUPS} {@link Groups}, which are as independent of each other as their members are; figures of
 * many sessions cost no more than those of a few. The same session is in the same group under every policy. Figures per time
 * are weighted by pieces of the replay's time instead, since sessions that go on at the same time share it.
 */
final class Sample {
    static final int GROUPS = Groups.MOST;
    /** Pieces into which the time of a replay is cut. */
    static final int TIMES = 20;

    private static final double SECOND = 1e9;
    private static final int CELLS = 200 * TIMES;
    private static final MissCause[] CAUSES = MissCause.values();

    private final boolean timed;
    private final double seconds;
    private final Groups groups;
    private final Slice all;
    private final Slice[] replicas;
    private final Slice[] turns = new Slice[TurnBucket.COUNT];
    private final long[][] missed = new long[CAUSES.length][GROUPS];
    private final long[] followed = new long[GROUPS];
    private final long[] stayed = new long[GROUPS];
    private final long[] preempted = new long[GROUPS];
    private final WeightedQuantiles sessionTimes;
    private final WeightedFairness fairness;
    private final double[] producedIn = new double[TIMES];
    private final double[] busyIn = new double[TIMES];

    private Sample(Outcome outcome) {
        RequestLog log = outcome.requests();
        timed = outcome.timed();
        seconds = (outcome.endNanos() - outcome.figuresStartNanos()) / SECOND;
        groups = Groups.of(log);
        all = new Slice();
        replicas = new Slice[outcome.busyNanos().length];
        for (int r = 0; r < replicas.length; r++) {
            replicas[r] = new Slice();
        }
        for (int t = 0; t < turns.length; t++) {
            turns[t] = new Slice();
        }
        requests(outcome);
        sessionTimes = sessionTimes(outcome);
        fairness = WeightedFairness.of(outcome);
        busy(outcome);
    }

    /** Takes a replay apart. */
    static Sample of(Outcome outcome) {
        return new Sample(outcome);
    }

    /** Sessions, and requests without one. */
    int units() {
        return groups.units();
    }

    private void requests(Outcome outcome) {
        RequestLog log = outcome.requests();
        int[] last = new int[log.conversations()];
        int[] turn = new int[last.length];
        for (int r = 0; r < log.size(); r++) {
            if (!outcome.counts(r)) {
                led(log, r, last, turn);
                continue;
            }
            int group = groups.ofRequest(r);
            int conversation = log.conversation(r);
            all.add(log, r, group, outcome.endNanos());
            if (log.replica(r) >= 0) {
                replicas[log.replica(r)].add(log, r, group, outcome.endNanos());
            }
            preempted[group] += log.preemptions(r);
            for (MissCause cause : CAUSES) {
                missed[cause.ordinal()][group] += log.missed(r, cause);
            }
            if (conversation >= 0) {
                turns[TurnBucket.of(++turn[conversation])].add(log, r, group, outcome.endNanos());
                if (last[conversation] > 0) {
                    followed[group]++;
                    stayed[group] += last[conversation] - 1 == log.replica(r) ? 1 : 0;
                }
                last[conversation] = log.replica(r) + 1;
            }
            producedIn[time(outcome, log.hasEnded(r) ? log.end(r) : outcome.endNanos())] += log.produced(r);
        }
        all.close();
        for (Slice slice : replicas) {
            slice.close();
        }
        for (Slice slice : turns) {
            slice.close();
        }
    }

    /** A request that led to where the figures begin. */
    private static void led(RequestLog log, int r, int[] last, int[] turn) {
        if (log.wasSent(r) && log.conversation(r) >= 0) {
            turn[log.conversation(r)]++;
            last[log.conversation(r)] = log.replica(r) + 1;
        }
    }

    private static int time(Outcome outcome, long at) {
        return cell(outcome, at, TIMES);
    }

    private static int cell(Outcome outcome, long at, int cells) {
        long start = outcome.figuresStartNanos();
        double share = (double) (at - start) / Math.max(1, outcome.endNanos() - start);
        return Math.clamp((int) (share * cells), 0, cells - 1);
    }

    private static WeightedQuantiles sessionTimes(Outcome outcome) {
        SessionLog sessions = outcome.sessions();
        WeightedQuantiles times = new WeightedQuantiles();
        for (int s = 0; s < sessions.size(); s++) {
            if (sessions.hasStarted(s)) {
                boolean ended = sessions.hasEnded(s) && sessions.end(s) <= outcome.endNanos();
                long end = ended ? sessions.end(s) : outcome.endNanos();
                long start = Math.max(sessions.start(s), outcome.countedFromNanos());
                if (end >= start) {
                    times.add((end - start) / SECOND, Groups.ofSession(s));
                }
            }
        }
        times.close();
        return times;
    }

    /** When replicas had work, on a fine grid, scaled to what the replay counted exactly. */
    private void busy(Outcome outcome) {
        RequestLog log = outcome.requests();
        int[][] begun = new int[replicas.length][CELLS + 1];
        for (int r = 0; r < log.size(); r++) {
            if (log.wasSent(r) && log.replica(r) >= 0) {
                long end = log.hasEnded(r) ? log.end(r) : outcome.endNanos();
                if (end < outcome.countedFromNanos()) {
                    continue;
                }
                begun[log.replica(r)][cell(outcome, log.sent(r), CELLS)]++;
                begun[log.replica(r)][cell(outcome, end, CELLS) + 1]--;
            }
        }
        double sum = 0;
        for (int[] ofReplica : begun) {
            int inFlight = 0;
            for (int c = 0; c < CELLS; c++) {
                inFlight += ofReplica[c];
                if (inFlight > 0) {
                    busyIn[c * TIMES / CELLS]++;
                    sum++;
                }
            }
        }
        double exact = BusyTime.nanos(outcome) / SECOND;
        for (int t = 0; t < TIMES && sum > 0; t++) {
            busyIn[t] *= exact / sum;
        }
    }

    /** Where each figure stands in a vector of them: figures, causes, then three of each replica and of each turn. */
    static int length(int replicas) {
        return ofTurn(replicas, TurnBucket.COUNT);
    }

    static int ofFigure(Figure figure) {
        return figure.ordinal();
    }

    static int ofCause(MissCause cause) {
        return Figure.values().length + cause.ordinal();
    }

    /** A figure by its field name, a cause of misses by {@code misses.CAUSE}; empty for what is not resampled. */
    static OptionalInt named(String field) {
        for (Figure figure : Figure.values()) {
            if (figure.wireName().equals(field)) {
                return OptionalInt.of(ofFigure(figure));
            }
        }
        for (MissCause cause : CAUSES) {
            if (field.equals(ofMisses(cause))) {
                return OptionalInt.of(ofCause(cause));
            }
        }
        return OptionalInt.empty();
    }

    /** Field name of the interval of a cause of misses. */
    static String ofMisses(MissCause cause) {
        return "misses." + cause.wireName();
    }

    /** First of three: hit rate in percent, median and 95th percentile of the time to first token. */
    static int ofReplica(int replica) {
        return Figure.values().length + CAUSES.length + replica * Slice.FIGURES;
    }

    static int ofTurn(int replicas, int bucket) {
        return ofReplica(replicas) + bucket * Slice.FIGURES;
    }

    /**
     * Computes every figure.
     *
     * @param weights how often each group counts
     * @param times how often each piece of time counts
     * @param to the figures; not a number where there is none
     */
    void figures(int[] weights, int[] times, double[] to) {
        all.figures(weights, timed, to, 0);
        double hit = to[0];
        double p50 = to[1];
        double p95 = to[2];
        to[ofFigure(Figure.HIT_PCT)] = hit;
        to[ofFigure(Figure.TTFT_P50_S)] = p50;
        to[ofFigure(Figure.TTFT_P95_S)] = p95;
        double period = seconds * sum(times) / TIMES;
        to[ofFigure(Figure.OUTPUT_TOKENS_PER_MIN)] =
                timed && seconds > 0 ? 60 * dot(times, producedIn) / period : Double.NaN;
        to[ofFigure(Figure.REPLICAS_BUSY)] = timed && seconds > 0 ? dot(times, busyIn) / period : Double.NaN;
        to[ofFigure(Figure.SESSION_P50_S)] = timed ? sessionTimes.at(weights, 0.5) : Double.NaN;
        to[ofFigure(Figure.SESSION_P95_S)] = timed ? sessionTimes.at(weights, 0.95) : Double.NaN;
        to[ofFigure(Figure.SESSION_FAIRNESS)] = timed ? fairness.index(weights) : Double.NaN;
        long turnsFollowed = dot(weights, followed);
        to[ofFigure(Figure.STAYED_PCT)] = turnsFollowed > 0 ? 100.0 * dot(weights, stayed) / turnsFollowed : Double.NaN;
        to[ofFigure(Figure.PREEMPTIONS)] = timed ? dot(weights, preempted) : Double.NaN;
        for (MissCause cause : CAUSES) {
            to[ofCause(cause)] = dot(weights, missed[cause.ordinal()]);
        }
        for (int r = 0; r < replicas.length; r++) {
            replicas[r].figures(weights, timed, to, ofReplica(r));
        }
        for (int t = 0; t < turns.length; t++) {
            turns[t].figures(weights, timed, to, ofTurn(replicas.length, t));
        }
    }

    /**
     * Counts what each figure rests on: groups that have a value of it, or pieces of time. A figure that rests on a single one
     * is the same however often that one is drawn.
     */
    void units(int[] to) {
        all.units(to, 0);
        int counted = all.groups();
        int hit = to[0];
        int firstBytes = to[1];
        to[ofFigure(Figure.HIT_PCT)] = hit;
        to[ofFigure(Figure.TTFT_P50_S)] = firstBytes;
        to[ofFigure(Figure.TTFT_P95_S)] = firstBytes;
        to[ofFigure(Figure.OUTPUT_TOKENS_PER_MIN)] = TIMES;
        to[ofFigure(Figure.REPLICAS_BUSY)] = TIMES;
        to[ofFigure(Figure.SESSION_P50_S)] = sessionTimes.groups();
        to[ofFigure(Figure.SESSION_P95_S)] = sessionTimes.groups();
        to[ofFigure(Figure.SESSION_FAIRNESS)] = fairness.groups();
        to[ofFigure(Figure.STAYED_PCT)] =
                (int) Arrays.stream(followed).filter(n -> n > 0).count();
        to[ofFigure(Figure.PREEMPTIONS)] = counted;
        for (MissCause cause : CAUSES) {
            to[ofCause(cause)] = counted;
        }
        for (int r = 0; r < replicas.length; r++) {
            replicas[r].units(to, ofReplica(r));
        }
        for (int t = 0; t < turns.length; t++) {
            turns[t].units(to, ofTurn(replicas.length, t));
        }
    }

    /** What one vector of figures costs, in steps. */
    long work() {
        long values = all.size() + sessionTimes.size();
        for (Slice slice : replicas) {
            values += slice.size();
        }
        for (Slice slice : turns) {
            values += slice.size();
        }
        return values
                + (long) Math.min(GROUPS, units()) * (CAUSES.length + 3 + 2L * (1 + replicas.length + turns.length));
    }

    int replicas() {
        return replicas.length;
    }

    Slice replica(int r) {
        return replicas[r];
    }

    Slice turn(int bucket) {
        return turns[bucket];
    }

    private static int sum(int[] values) {
        int sum = 0;
        for (int v : values) {
            sum += v;
        }
        return sum;
    }

    private static double dot(int[] weights, double[] values) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * values[i];
        }
        return sum;
    }

    private static long dot(int[] weights, long[] values) {
        long sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * values[i];
        }
        return sum;
    }
}
