package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.BitSet;

/**
 * Jain's index over sessions (Jain, Chiu, Hawe 1984): {@code (sum x)^2 / (n sum x^2)}, 1 when all are served alike, 1/n when
 * one gets everything. What a session gets, x, is its generated tokens for each second in which it waited for an answer or
 * received one.
 */
final class WeightedFairness {
    private final double[] rate; // by session; 0 for one that does not count
    private final boolean[] counts;

    private WeightedFairness(double[] rate, boolean[] counts) {
        this.rate = rate;
        this.counts = counts;
    }

    static WeightedFairness of(Outcome outcome) {
        RequestLog log = outcome.requests();
        int sessions = 0;
        for (int r = 0; r < log.size(); r++) {
            sessions = Math.max(sessions, log.session(r) + 1);
        }
        double[] tokens = new double[sessions];
        double[] nanos = new double[sessions];
        for (int r = 0; r < log.size(); r++) {
            int s = log.session(r);
            if (s >= 0 && outcome.counts(r)) {
                long end = log.hasEnded(r) ? Math.min(log.end(r), outcome.endNanos()) : outcome.endNanos();
                tokens[s] += log.produced(r);
                nanos[s] += end - log.sent(r);
            }
        }
        double[] rate = new double[sessions];
        boolean[] counts = new boolean[sessions];
        for (int s = 0; s < sessions; s++) {
            counts[s] = nanos[s] > 0;
            rate[s] = counts[s] ? tokens[s] * 1e9 / nanos[s] : 0;
        }
        return new WeightedFairness(rate, counts);
    }

    /** Groups that have a session that counts. */
    int groups() {
        BitSet known = new BitSet();
        for (int s = 0; s < counts.length; s++) {
            if (counts[s]) {
                known.set(Groups.ofSession(s));
            }
        }
        return known.cardinality();
    }

    /** The index; not a number without sessions. */
    double index(int[] weights) {
        double n = 0;
        double sum = 0;
        double squares = 0;
        for (int s = 0; s < rate.length; s++) {
            if (counts[s]) {
                int w = weights[Groups.ofSession(s)];
                n += w;
                sum += w * rate[s];
                squares += w * rate[s] * rate[s];
            }
        }
        return squares > 0 ? sum * sum / (n * squares) : Double.NaN;
    }
}
