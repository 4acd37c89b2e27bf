package dev.warmroute.simulator.timing;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.timing.TimingProfile.Fit;
import dev.warmroute.simulator.timing.TimingProfile.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Learns an {@link AffineLaw} from what a recording measured of its requests: when each was sent, its first and last token,
 * and how many tokens it had, cached and computed. No step is seen; but two kinds of times say what steps took.
 *
 * <p><b>Decode</b>: between first and last token of a request lie exactly {@code output - 1} steps. In them the replica also
 * generated what its other running requests have between those moments, read their contexts, and computed the prompts whose
 * first token falls there. The time is the step-time law summed over these:
 *
 * <pre>last - first = base * steps + prefill * tokens + attention * pairs + context * KV tokens + sequence * tokens</pre>
 *
 * <p><b>First token</b>: a request that found its replica idle and stayed alone until its first token waited for the delay in
 * front of the engine and for {@code ceil(computed / budget)} steps.
 *
 * <p>Both are linear in the coefficients, so they follow from least squares with coefficients at least 0. Errors are taken to
 * grow with the time: a row weighs one over the square of what the law says of it, not of what was measured, which would
 * favour the short ones of equal requests and make the law too fast. How long a prompt took to compute before its first token
 * follows from the law as well: the fit is repeated until it settles. How much other busy replicas of the same machine slow
 * a step down ({@link SharedHost}) is searched around it, and kept only if it explains clearly more. A machine is not equally
 * fast every day: what is left of a run as a whole is its pace. The law is one for all runs, so a machine that happened to be
 * slow whenever it was busy looks shared: runs of different load should not differ in anything else.
 *
 * <p>What a load does not vary cannot be learnt: a term whose estimate is below twice its standard error is marked as not
 * identified. Base, context and sequence trade off against each other when batches are alike; the time of a step in the range
 * that was seen is known far better than its parts.
 */
public final class Calibration {
    private static final int BASE = 0;
    private static final int PREFILL = 1;
    private static final int ATTENTION = 2;
    private static final int CONTEXT = 3;
    private static final int SEQUENCE = 4;
    private static final int FRONTEND = 5;
    private static final int COLUMNS = 6;

    private static final int ROUNDS = 8;
    private static final int FEWEST_ROWS = 20;
    /** Share of the squares that a shared host must explain to be believed. */
    private static final double WORTH_A_HOST = 0.03;

    private static final double MOST_SLOWDOWN = 2;
    /** Times count for at least this many seconds when they are weighted. */
    private static final double SHORTEST = 1e-3;

    private static final double NANO = 1e-9;

    private final List<List<List<ServedRequest>>> runs; // by run, replica, time
    private final int budget;

    private Calibration(List<ServedRequest> requests, int budget) {
        this.budget = budget;
        this.runs = grouped(requests);
    }

    /**
     * Learns a law.
     *
     * @param requests of any number of runs on the same kind of replica
     * @param runs names of the runs, by {@link ServedRequest#run}
     * @param maxNumBatchedTokens token budget of a step
     * @throws UserError if there are too few requests to learn from
     */
    public static TimingProfile fit(
            String name, List<ServedRequest> requests, List<String> runs, int maxNumBatchedTokens) {
        if (requests.size() < FEWEST_ROWS) {
            throw new UserError(
                    "too few requests to learn step times from: " + requests.size() + " served with all their times"
                            + " and token counts known, at least " + FEWEST_ROWS + " are needed");
        }
        Calibration calibration = new Calibration(requests, maxNumBatchedTokens);
        Fitted alone = calibration.fit(0);
        Fitted best = calibration.manyReplicas() ? calibration.search() : alone;
        boolean shared = best.squares < alone.squares * (1 - WORTH_A_HOST);
        return (shared ? best : alone).profile(name, runs);
    }

    private boolean manyReplicas() {
        return runs.stream().anyMatch(r -> r.size() > 1);
    }

    /** The slowdown with the least squares, by golden section. */
    private Fitted search() {
        double ratio = (Math.sqrt(5) - 1) / 2;
        double low = 0;
        double high = MOST_SLOWDOWN;
        double a = high - ratio * (high - low);
        double b = low + ratio * (high - low);
        Fitted atA = fit(a);
        Fitted atB = fit(b);
        while (high - low > 1e-3) {
            if (atA.squares <= atB.squares) {
                high = b;
                b = a;
                atB = atA;
                a = high - ratio * (high - low);
                atA = fit(a);
            } else {
                low = a;
                a = b;
                atA = atB;
                b = low + ratio * (high - low);
                atB = fit(b);
            }
        }
        return atA.squares <= atB.squares ? atA : atB;
    }

    /** A measured time and what the replica did in it. */
    private record Row(int run, boolean decode, double[] work, double seconds) {
        double predicted(double[] coefficients, double speed) {
            double sum = 0;
            for (int i = 0; i < COLUMNS; i++) {
                sum += work[i] * coefficients[i];
            }
            return sum * speed;
        }
    }

    private Fitted fit(double slowdown) {
        double[] coefficients = new double[COLUMNS];
        SharedHost host = new SharedHost(slowdown);
        List<Row> rows = List.of();
        LeastSquares.Solution solution = null;
        for (int round = 0; round < ROUNDS; round++) {
            rows = rows(coefficients, host);
            LeastSquares squares = new LeastSquares(COLUMNS);
            for (Row row : rows) {
                double expected = round == 0 ? row.seconds : Math.max(SHORTEST, row.predicted(coefficients, 1));
                squares.add(row.work, row.seconds, 1 / (expected * expected));
            }
            solution = squares.solve();
            coefficients = solution.coefficients();
        }
        double left = 0;
        for (Row row : rows) {
            double off = 1 - row.seconds / Math.max(SHORTEST, row.predicted(coefficients, 1));
            left += off * off;
        }
        return new Fitted(solution, host, paces(rows, coefficients), rows, left);
    }

    private static double relative(Row row, double[] coefficients, double[] pace) {
        return row.predicted(coefficients, pace[row.run]) / row.seconds - 1;
    }

    /** How much slower or faster each run was than the law: the geometric mean over the runs is 1. */
    private double[] paces(List<Row> rows, double[] coefficients) {
        double[] pace = new double[runs.size()];
        double logs = 0;
        for (int run = 0; run < pace.length; run++) {
            double measured = 0;
            double predicted = 0;
            for (Row row : rows) {
                if (row.run == run) {
                    measured += row.seconds;
                    predicted += row.predicted(coefficients, 1);
                }
            }
            pace[run] = measured > 0 && predicted > 0 ? measured / predicted : 1;
            logs += Math.log(pace[run]);
        }
        double centre = Math.exp(logs / pace.length);
        for (int run = 0; run < pace.length; run++) {
            pace[run] /= centre;
        }
        return pace;
    }

    private List<Row> rows(double[] coefficients, SharedHost host) {
        List<Row> rows = new ArrayList<>();
        for (int run = 0; run < runs.size(); run++) {
            List<BusyTimes> busy = runs.get(run).stream().map(BusyTimes::new).toList();
            for (int replica = 0; replica < busy.size(); replica++) {
                new OneReplica(run, replica, busy, coefficients, host).addTo(rows);
            }
        }
        if (rows.size() < FEWEST_ROWS) {
            throw new UserError("too few requests with several output tokens to learn step times from: " + rows.size()
                    + ", at least " + FEWEST_ROWS + " are needed");
        }
        return rows;
    }

    /** Rows of one replica of one run. */
    private final class OneReplica {
        private final int run;
        private final int replica;
        private final List<BusyTimes> busy;
        private final double[] coefficients;
        private final SharedHost host;
        private final List<ServedRequest> requests;
        private final long longest;

        OneReplica(int run, int replica, List<BusyTimes> busy, double[] coefficients, SharedHost host) {
            this.run = run;
            this.replica = replica;
            this.busy = busy;
            this.coefficients = coefficients;
            this.host = host;
            this.requests = runs.get(run).get(replica);
            this.longest = requests.stream()
                    .mapToLong(r -> r.lastNanos() - r.sentNanos())
                    .max()
                    .orElse(0);
        }

        void addTo(List<Row> rows) {
            for (int i = 0; i < requests.size(); i++) {
                ServedRequest r = requests.get(i);
                if (r.outputTokens() > 1 && r.lastNanos() > r.firstNanos()) {
                    rows.add(decode(i));
                }
                if (aloneUntilFirst(i) && r.firstNanos() > r.sentNanos()) {
                    rows.add(firstToken(r));
                }
            }
        }

        private Row decode(int i) {
            ServedRequest own = requests.get(i);
            double[] work = new double[COLUMNS];
            work[BASE] = own.outputTokens() - 1;
            for (int j = i; j >= 0 && requests.get(j).sentNanos() + longest >= own.firstNanos(); j--) {
                addWork(work, requests.get(j), own, j == i);
            }
            for (int j = i + 1; j < requests.size() && requests.get(j).sentNanos() < own.lastNanos(); j++) {
                addWork(work, requests.get(j), own, false);
            }
            return row(true, work, own.firstNanos(), own.lastNanos());
        }

        private void addWork(double[] work, ServedRequest r, ServedRequest during, boolean itself) {
            long from = during.firstNanos();
            long to = during.lastNanos();
            if (r.outputTokens() > 1 && r.lastNanos() > r.firstNanos()) {
                double length = r.lastNanos() - r.firstNanos();
                double begins = (Math.max(from, r.firstNanos()) - r.firstNanos()) / length;
                double ends = (Math.min(to, r.lastNanos()) - r.firstNanos()) / length;
                if (ends > begins) {
                    double tokens = (ends - begins) * (r.outputTokens() - 1);
                    work[SEQUENCE] += tokens;
                    work[CONTEXT] += tokens * (r.promptTokens() + (begins + ends) / 2 * (r.outputTokens() - 1));
                }
            }
            if (!itself) {
                double share = prefillWithin(r, from, to);
                work[PREFILL] += share * r.computedTokens();
                work[ATTENTION] += share * StepTimeLaw.chunkAttention(r.computedTokens(), r.cachedTokens());
            }
        }

        /** Which part of a prompt was computed within an interval, taking it that it was the last thing before its first token. */
        private double prefillWithin(ServedRequest r, long from, long to) {
            double[] work = prefill(r);
            double nanos = 0;
            for (int c = 0; c < FRONTEND; c++) {
                nanos += work[c] * coefficients[c] / NANO;
            }
            nanos *= host.factor(1 + others(r.sentNanos(), r.firstNanos()));
            double length = Math.max(1, Math.min(nanos, r.firstNanos() - r.sentNanos()));
            double start = r.firstNanos() - length;
            return Math.max(0, Math.min(to, r.firstNanos()) - Math.max(from, start)) / length;
        }

        private Row firstToken(ServedRequest r) {
            double[] work = prefill(r);
            work[FRONTEND] = 1;
            return row(false, work, r.sentNanos(), r.firstNanos());
        }

        private double[] prefill(ServedRequest r) {
            double[] work = new double[COLUMNS];
            work[BASE] = Math.ceilDiv(r.computedTokens(), budget);
            work[PREFILL] = r.computedTokens();
            work[ATTENTION] = StepTimeLaw.chunkAttention(r.computedTokens(), r.cachedTokens());
            return work;
        }

        private Row row(boolean decode, double[] work, long from, long to) {
            double slower = host.factor(1 + others(from, to));
            for (int c = 0; c < COLUMNS; c++) {
                work[c] *= slower;
            }
            return new Row(run, decode, work, (to - from) * NANO);
        }

        /** Mean number of other replicas with work. */
        private double others(long from, long to) {
            double sum = 0;
            for (int other = 0; other < busy.size(); other++) {
                sum += other == replica ? 0 : busy.get(other).within(from, to);
            }
            return to > from ? sum / (to - from) : 0;
        }

        private boolean aloneUntilFirst(int i) {
            ServedRequest own = requests.get(i);
            if (i + 1 < requests.size() && requests.get(i + 1).sentNanos() < own.firstNanos()) {
                return false;
            }
            for (int j = i - 1; j >= 0 && requests.get(j).sentNanos() + longest >= own.sentNanos(); j--) {
                if (requests.get(j).lastNanos() > own.sentNanos()) {
                    return false;
                }
            }
            return true;
        }
    }

    private static List<List<List<ServedRequest>>> grouped(List<ServedRequest> requests) {
        Map<Integer, Map<Integer, List<ServedRequest>>> byRun = new TreeMap<>();
        for (ServedRequest r : requests) {
            byRun.computeIfAbsent(r.run(), k -> new TreeMap<>())
                    .computeIfAbsent(r.replica(), k -> new ArrayList<>())
                    .add(r);
        }
        List<List<List<ServedRequest>>> grouped = new ArrayList<>();
        for (int run = 0;
                run <= requests.stream().mapToInt(ServedRequest::run).max().orElse(-1);
                run++) {
            List<List<ServedRequest>> replicas = new ArrayList<>();
            for (List<ServedRequest> of : byRun.getOrDefault(run, Map.of()).values()) {
                of.sort(Comparator.comparingLong(ServedRequest::sentNanos));
                replicas.add(of);
            }
            grouped.add(replicas);
        }
        return grouped;
    }

    private record Fitted(
            LeastSquares.Solution solution, SharedHost host, double[] pace, List<Row> rows, double squares) {
        TimingProfile profile(String name, List<String> runNames) {
            double[] c = solution.coefficients();
            Map<String, Double> paces = new TreeMap<>();
            for (int run = 0; run < pace.length; run++) {
                paces.put(runNames.get(run), pace[run]);
            }
            return new TimingProfile(
                    name,
                    runNames,
                    new TimingProfile.Law(
                            c[BASE] * 1e3, c[PREFILL] * 1e3, c[ATTENTION] * 1e9, c[CONTEXT] * 1e9, c[SEQUENCE] * 1e3),
                    c[FRONTEND] * 1e3,
                    0,
                    host.slowdown(),
                    paces,
                    List.of(
                            term(BASE, "base_ms", 1e3),
                            term(PREFILL, "prefill_token_ms", 1e3),
                            term(ATTENTION, "attention_pair_ns", 1e9),
                            term(CONTEXT, "context_token_ns", 1e9),
                            term(SEQUENCE, "sequence_ms", 1e3),
                            term(FRONTEND, "frontend_request_ms", 1e3)),
                    residuals(true),
                    residuals(false));
        }

        private Term term(int column, String name, double unit) {
            double error = solution.errors()[column];
            return new Term(
                    name,
                    solution.coefficients()[column] * unit,
                    Double.isInfinite(error) ? -1 : error * unit,
                    solution.identified(column));
        }

        private Fit residuals(boolean decode) {
            double[] off = rows.stream()
                    .filter(r -> r.decode == decode)
                    .mapToDouble(r -> 100 * relative(r, solution.coefficients(), pace))
                    .toArray();
            double[] sizes = Arrays.stream(off).map(Math::abs).sorted().toArray();
            int n = off.length;
            return n == 0
                    ? Fit.NOTHING
                    : new Fit(
                            n,
                            Arrays.stream(off).average().orElseThrow(),
                            Arrays.stream(sizes).average().orElseThrow(),
                            sizes[n / 2],
                            sizes[Math.min(n - 1, (int) (0.95 * n))]);
        }
    }
}
