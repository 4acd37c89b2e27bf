package dev.warmroute.simulator.compare;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Every figure of every policy, as it is and as it would be with other sessions and seeds; see {@link Resampling}. Replicate b
 * of one policy and replicate b of another were drawn alike, so that differences between them are paired.
 */
final class Replicates {
    private final double[][] point; // by policy, figure
    private final double[][][] values; // by policy, figure, replicate
    private final int[][] units; // by policy, figure

    /** @param units sessions, seeds or times that each figure rests on; with fewer than 2 nothing is said of how it varies */
    Replicates(double[][] point, double[][][] values, int[][] units) {
        this.point = point;
        this.values = values;
        this.units = units;
    }

    int resamples() {
        return values[0][0].length;
    }

    OptionalDouble value(int policy, int figure) {
        double value = point[policy][figure];
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Interval of a figure; empty where there is no figure, or fewer than two units of it to resample. */
    Optional<Interval> interval(int policy, int figure) {
        return ExpandedPercentile.of(values[policy][figure], point[policy][figure], units[policy][figure]);
    }

    /** Interval of a policy's figure less that of another one; empty where either has none. */
    Optional<Interval> difference(int policy, int base, int figure) {
        return difference(policy, base, figure, 1);
    }

    /** Interval of a policy's figure less so many times that of another one. */
    Optional<Interval> difference(int policy, int base, int figure, double times) {
        double[] own = values[policy][figure];
        double[] others = values[base][figure];
        double[] differences = new double[own.length];
        for (int b = 0; b < own.length; b++) {
            differences[b] = own[b] - times * others[b];
        }
        return ExpandedPercentile.of(
                differences,
                point[policy][figure] - times * point[base][figure],
                Math.min(units[policy][figure], units[base][figure]));
    }

    /** Whether it can be said how a figure of every policy would vary. */
    boolean varies(int figure) {
        return Arrays.stream(units).allMatch(ofPolicy -> ofPolicy[figure] >= 2);
    }

    /** Share of the replicates in which each policy has the best figure; several that are equally good share one. */
    double[] best(int figure, boolean higher) {
        double[] share = new double[values.length];
        int counted = 0;
        for (int b = 0; b < resamples(); b++) {
            double best = best(b, figure, higher);
            if (Double.isNaN(best)) {
                continue;
            }
            counted++;
            int equal = 0;
            for (double[][] of : values) {
                equal += of[figure][b] == best ? 1 : 0;
            }
            for (int p = 0; p < values.length; p++) {
                share[p] += values[p][figure][b] == best ? 1.0 / equal : 0;
            }
        }
        for (int p = 0; p < share.length && counted > 0; p++) {
            share[p] /= counted;
        }
        return share;
    }

    /** By how much each policy is worse than the best one of a replicate, in the mean; never negative. */
    double[] regret(int figure, boolean higher) {
        double[] regret = new double[values.length];
        int counted = 0;
        for (int b = 0; b < resamples(); b++) {
            double best = best(b, figure, higher);
            if (!Double.isNaN(best)) {
                counted++;
                for (int p = 0; p < values.length; p++) {
                    regret[p] += Math.abs(values[p][figure][b] - best);
                }
            }
        }
        for (int p = 0; p < regret.length && counted > 0; p++) {
            regret[p] /= counted;
        }
        return regret;
    }

    /** Best value of a replicate; not a number when a policy has none. */
    private double best(int b, int figure, boolean higher) {
        double best = higher ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        for (double[][] of : values) {
            double value = of[figure][b];
            if (Double.isNaN(value)) {
                return Double.NaN;
            }
            best = higher ? Math.max(best, value) : Math.min(best, value);
        }
        return best;
    }
}
