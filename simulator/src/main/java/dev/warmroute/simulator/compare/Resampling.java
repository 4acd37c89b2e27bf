package dev.warmroute.simulator.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Bootstrap (Efron 1979) of everything a comparison says. What is drawn, with replacement:
 *
 * <p>of a <b>trace</b>, its sessions, the same ones for every policy and seed, and, for a policy that draws at random, also
 * its seeds;
 *
 * <p>of a <b>workload</b> under several seeds, the seeds, the same ones for every policy: each of them made sessions of its
 * own, so they differ by all that can differ. Under a single seed, its sessions.
 *
 * <p>What was drawn is also what a figure must rest on at least two of to have an interval. Seeds of a trace do not count: with
 * a single session they say how a policy's luck varies, and nothing of other sessions.
 *
 * <p>Draws have a stream of randomness each, so that the answer does not depend on threads.
 */
final class Resampling {
    private static final int MOST = 1000;
    private static final int FEWEST = 200;
    /** Steps that the figures of all replicates may take, as far as {@link #FEWEST} allows. */
    private static final long BUDGET = 8_000_000;

    private static final long STREAM = 0x5DEECE66DL;

    private final List<List<Sample>> runs; // by policy, seed
    private final boolean drawn;
    private final int seeds;
    private final int length;
    private final double[][][] points; // by policy, seed, figure

    private Resampling(List<List<Sample>> runs, boolean drawn, int replicas) {
        this.runs = runs;
        this.drawn = drawn;
        this.seeds = runs.stream().mapToInt(List::size).max().orElseThrow();
        this.length = Sample.length(replicas);
        this.points = new double[runs.size()][][];
    }

    /** What the intervals are, in words. */
    static String description(boolean drawn, int seeds, Replicates replicates) {
        String what = drawn && seeds > 1
                ? "over the seeds"
                : seeds > 1
                        ? "over sessions (a request without one by itself), and over the seeds of policies that draw at random"
                        : "over sessions (a request without one by itself)";
        return "95 % intervals, bootstrap of " + replicates.resamples() + " resamples " + what
                + "; output and busy replicas of a trace over twentieths of its time; widened for few units, none from a single one;"
                + " differences are paired";
    }

    /**
     * Resamples.
     *
     * @param runs by policy and seed; a policy that drew nothing has a single one
     * @param drawn whether each seed made requests of its own
     * @param threads to compute on; the result does not depend on them
     */
    static Replicates of(List<List<Sample>> runs, boolean drawn, int replicas, ExecutorService threads, int parallel) {
        return new Resampling(runs, drawn, replicas).replicates(threads, parallel);
    }

    private Replicates replicates(ExecutorService threads, int parallel) {
        int[] once = new int[Sample.GROUPS];
        Arrays.fill(once, 1);
        int[] always = new int[Sample.TIMES];
        Arrays.fill(always, 1);
        double[][] point = new double[runs.size()][];
        long work = 0;
        for (int p = 0; p < runs.size(); p++) {
            List<Sample> of = runs.get(p);
            points[p] = new double[of.size()][length];
            for (int k = 0; k < of.size(); k++) {
                of.get(k).figures(once, always, points[p][k]);
                work += of.get(k).work();
            }
            int[] all = new int[of.size()];
            Arrays.fill(all, 1);
            point[p] = new double[length];
            mean(points[p], all, point[p]);
        }
        boolean bySeed = drawn && seeds > 1;
        int resamples = bySeed ? MOST : Math.clamp(BUDGET / Math.max(1, work), FEWEST, MOST);
        double[][][] values = new double[runs.size()][length][resamples];
        List<Future<?>> parts = new ArrayList<>();
        for (int part = 0; part < parallel; part++) {
            int from = part;
            parts.add(threads.submit(() -> {
                for (int b = from; b < resamples; b += parallel) {
                    replicate(b, bySeed, values);
                }
            }));
        }
        parts.forEach(WhatIf::get);
        return new Replicates(point, values, rested(bySeed));
    }

    /** By policy and figure, the units it rests on: seeds that have it, or groups and times in the seed that has the most. */
    private int[][] rested(boolean bySeed) {
        int[][] units = new int[runs.size()][length];
        int[] ofSample = new int[length];
        for (int p = 0; p < units.length; p++) {
            for (int k = 0; k < points[p].length; k++) {
                runs.get(p).get(k).units(ofSample);
                for (int f = 0; f < length; f++) {
                    if (!bySeed) {
                        units[p][f] = Math.max(units[p][f], ofSample[f]);
                    } else if (!Double.isNaN(points[p][k][f])) {
                        units[p][f]++;
                    }
                }
            }
        }
        return units;
    }

    private int units() {
        return runs.stream().flatMap(List::stream).mapToInt(Sample::units).max().orElseThrow();
    }

    private void replicate(int b, boolean bySeed, double[][][] values) {
        SplittableRandom random = new SplittableRandom(STREAM + b);
        int[] ofSeeds = draw(random, seeds, seeds);
        int[] weights = draw(random, Math.min(Sample.GROUPS, units()), Sample.GROUPS);
        int[] times = draw(random, Sample.TIMES, Sample.TIMES);
        double[] figures = new double[length];
        for (int p = 0; p < runs.size(); p++) {
            List<Sample> of = runs.get(p);
            double[][] each = points[p];
            int[] counts = of.size() == 1 ? new int[] {1} : ofSeeds;
            if (!bySeed) {
                each = new double[of.size()][];
                for (int k = 0; k < of.size(); k++) {
                    if (counts[k] > 0) {
                        each[k] = new double[length];
                        of.get(k).figures(weights, times, each[k]);
                    }
                }
            }
            mean(each, counts, figures);
            for (int f = 0; f < length; f++) {
                values[p][f][b] = figures[f];
            }
        }
    }

    /** How often each of n things was drawn in n draws. */
    private static int[] draw(SplittableRandom random, int n, int length) {
        int[] counts = new int[length];
        for (int i = 0; i < n; i++) {
            counts[random.nextInt(n)]++;
        }
        return counts;
    }

    /** Means of the figures over seeds, each counted so often; seeds without a figure are left out of its mean. */
    private static void mean(double[][] each, int[] counts, double[] to) {
        for (int f = 0; f < to.length; f++) {
            double sum = 0;
            int n = 0;
            for (int k = 0; k < each.length; k++) {
                if (counts[k] > 0 && !Double.isNaN(each[k][f])) {
                    sum += counts[k] * each[k][f];
                    n += counts[k];
                }
            }
            to[f] = n == 0 ? Double.NaN : sum / n;
        }
    }
}
