package dev.warmroute.router.state;

import java.util.Arrays;

/** The last so many values of something, with their mean and quantiles. */
final class Recent {
    private final double[] values;
    private long seen;
    private double[] sorted = {};

    Recent(int most) {
        values = new double[most];
    }

    void add(double value) {
        values[(int) (seen++ % values.length)] = value;
        sorted = new double[0];
    }

    int size() {
        return (int) Math.min(seen, values.length);
    }

    /** Mean; NaN of nothing. */
    double mean() {
        double sum = 0;
        for (int i = 0; i < size(); i++) {
            sum += values[i];
        }
        return sum / size();
    }

    /** Quantile by nearest rank; NaN of nothing. */
    double quantile(double q) {
        if (size() == 0) {
            return Double.NaN;
        }
        if (sorted.length == 0) {
            sorted = Arrays.copyOf(values, size());
            Arrays.sort(sorted);
        }
        return sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)];
    }
}
