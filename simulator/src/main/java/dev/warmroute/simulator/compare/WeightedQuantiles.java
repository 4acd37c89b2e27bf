package dev.warmroute.simulator.compare;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Quantiles of values of which each counts as often as its group does: what {@link
 * dev.warmroute.simulator.replay.Quantiles} would say of the list with every value written down that often.
 */
final class WeightedQuantiles {
    private double[] values = new double[64];
    private short[] groups = new short[64];
    private int size;

    void add(double value, int group) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
            groups = Arrays.copyOf(groups, size * 2);
        }
        values[size] = value;
        groups[size++] = (short) group;
    }

    /** Nothing more will be added. */
    void close() {
        it.unimi.dsi.fastutil.Arrays.quickSort(0, size, (a, b) -> Double.compare(values[a], values[b]), this::swap);
    }

    private void swap(int a, int b) {
        double value = values[a];
        values[a] = values[b];
        values[b] = value;
        short group = groups[a];
        groups[a] = groups[b];
        groups[b] = group;
    }

    int size() {
        return size;
    }

    /** Groups that have a value. */
    int groups() {
        BitSet known = new BitSet();
        for (int i = 0; i < size; i++) {
            known.set(groups[i]);
        }
        return known.cardinality();
    }

    /** A quantile; not a number when nothing counts. */
    double at(int[] weights, double q) {
        double[] one = new double[2];
        two(weights, q, q, one, 0);
        return one[0];
    }

    /** Two quantiles in one pass, {@code low <= high}. */
    void two(int[] weights, double low, double high, double[] to, int at) {
        long total = 0;
        for (int i = 0; i < size; i++) {
            total += weights[groups[i]];
        }
        to[at] = Double.NaN;
        to[at + 1] = Double.NaN;
        if (total == 0) {
            return;
        }
        Walk walk = new Walk(weights);
        to[at] = walk.to(low * (total - 1), total);
        to[at + 1] = walk.to(high * (total - 1), total);
    }

    /** Walks up the values. */
    private final class Walk {
        private final int[] weights;
        private int i = -1;
        private long passed; // values up to and including i, each as often as it counts

        Walk(int[] weights) {
            this.weights = weights;
        }

        double to(double position, long total) {
            long below = (long) position;
            while (passed <= below) {
                passed += weights[groups[++i]];
            }
            double value = values[i];
            long above = Math.min(below + 1, total - 1);
            if (passed > above) {
                return value;
            }
            int next = i + 1;
            while (weights[groups[next]] == 0) {
                next++;
            }
            return value + (position - below) * (values[next] - value);
        }
    }
}
