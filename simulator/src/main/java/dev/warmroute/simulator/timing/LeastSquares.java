package dev.warmroute.simulator.timing;

import java.util.Arrays;

/**
 * Non-negative least squares with standard errors: minimises {@code sum of w_i (y_i - x_i . c)^2} over {@code c >= 0} by the
 * active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23) on the normal equations with
 * columns scaled to unit length. For the few columns of a step-time law.
 */
final class LeastSquares {
    private static final double SINGULAR = 1e-10;
    private static final int MOST_ROUNDS = 200;

    private final int columns;
    private final double[][] products; // X'WX
    private final double[] targets; // X'Wy
    private double total; // y'Wy
    private int rows;

    LeastSquares(int columns) {
        this.columns = columns;
        this.products = new double[columns][columns];
        this.targets = new double[columns];
    }

    /**
     * The best coefficients.
     *
     * @param coefficients at least 0
     * @param errors their standard errors; infinite for one that is held at 0 or that the rows cannot tell from others
     * @param squares weighted sum of squares that is left
     */
    record Solution(double[] coefficients, double[] errors, double squares) {
        /** Whether a coefficient is clearly not 0: at least twice its standard error. */
        boolean identified(int column) {
            return coefficients[column] > 0 && coefficients[column] >= 2 * errors[column];
        }
    }

    void add(double[] x, double y, double weight) {
        for (int i = 0; i < columns; i++) {
            for (int j = 0; j < columns; j++) {
                products[i][j] += weight * x[i] * x[j];
            }
            targets[i] += weight * x[i] * y;
        }
        total += weight * y * y;
        rows++;
    }

    Solution solve() {
        double[] scale = new double[columns];
        for (int i = 0; i < columns; i++) {
            scale[i] = products[i][i] > 0 ? Math.sqrt(products[i][i]) : 0;
        }
        boolean[] free = new boolean[columns];
        double[] c = new double[columns]; // of the scaled columns
        for (int round = 0; round < MOST_ROUNDS; round++) {
            int enter = steepest(c, free, scale);
            if (enter < 0) {
                break;
            }
            free[enter] = true;
            double[] trial = solve(free, scale);
            if (trial[enter] <= 0) {
                free[enter] = false; // the rows cannot tell it from those that are in already
                scale[enter] = 0;
                continue;
            }
            while (true) {
                double step = 1;
                for (int i = 0; i < columns; i++) {
                    if (free[i] && trial[i] <= 0) {
                        step = Math.min(step, c[i] / (c[i] - trial[i]));
                    }
                }
                for (int i = 0; i < columns; i++) {
                    if (free[i]) {
                        c[i] += step * (trial[i] - c[i]);
                        if (step < 1 && c[i] <= 1e-15) {
                            c[i] = 0;
                            free[i] = false;
                        }
                    }
                }
                if (step == 1) {
                    break;
                }
                trial = solve(free, scale);
            }
        }
        return solution(c, free, scale);
    }

    private int steepest(double[] c, boolean[] free, double[] scale) {
        int best = -1;
        double steepest = SINGULAR * Math.sqrt(Math.max(total, Double.MIN_NORMAL));
        for (int i = 0; i < columns; i++) {
            if (!free[i] && scale[i] > 0) {
                double gradient = targets[i] / scale[i];
                for (int j = 0; j < columns; j++) {
                    if (scale[j] > 0) {
                        gradient -= products[i][j] / scale[i] / scale[j] * c[j];
                    }
                }
                if (gradient > steepest) {
                    steepest = gradient;
                    best = i;
                }
            }
        }
        return best;
    }

    /** Least squares over the free columns, 0 elsewhere. */
    private double[] solve(boolean[] free, double[] scale) {
        int[] at = indices(free);
        double[][] a = matrix(at, scale);
        double[] b = new double[at.length];
        for (int i = 0; i < at.length; i++) {
            b[i] = targets[at[i]] / scale[at[i]];
        }
        double[][] inverse = inverse(a);
        double[] c = new double[columns];
        for (int i = 0; i < at.length; i++) {
            for (int j = 0; j < at.length; j++) {
                c[at[i]] += inverse[i][j] * b[j];
            }
        }
        return c;
    }

    private Solution solution(double[] scaled, boolean[] free, double[] scale) {
        double squares = total;
        for (int i = 0; i < columns; i++) {
            if (free[i]) {
                squares -= scaled[i] * targets[i] / scale[i];
            }
        }
        squares = Math.max(0, squares);
        int[] at = indices(free);
        double variance = squares / Math.max(1, rows - at.length);
        double[][] inverse = inverse(matrix(at, scale));
        double[] c = new double[columns];
        double[] errors = new double[columns];
        Arrays.fill(errors, Double.POSITIVE_INFINITY);
        for (int i = 0; i < at.length; i++) {
            c[at[i]] = scaled[at[i]] / scale[at[i]];
            errors[at[i]] = Math.sqrt(Math.max(0, inverse[i][i]) * variance) / scale[at[i]];
        }
        return new Solution(c, errors, squares);
    }

    private int[] indices(boolean[] free) {
        int n = 0;
        int[] at = new int[columns];
        for (int i = 0; i < columns; i++) {
            if (free[i]) {
                at[n++] = i;
            }
        }
        return Arrays.copyOf(at, n);
    }

    private double[][] matrix(int[] at, double[] scale) {
        double[][] a = new double[at.length][at.length];
        for (int i = 0; i < at.length; i++) {
            for (int j = 0; j < at.length; j++) {
                a[i][j] = products[at[i]][at[j]] / scale[at[i]] / scale[at[j]];
            }
        }
        return a;
    }

    /** Gauss-Jordan with pivots from the diagonal, as for a positive definite matrix; rows without a pivot stay 0. */
    private static double[][] inverse(double[][] matrix) {
        int n = matrix.length;
        double[][] a = new double[n][2 * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(matrix[i], 0, a[i], 0, n);
            a[i][n + i] = 1;
        }
        boolean[] done = new boolean[n];
        for (int round = 0; round < n; round++) {
            int pivot = -1;
            for (int i = 0; i < n; i++) {
                if (!done[i] && (pivot < 0 || a[i][i] > a[pivot][pivot])) {
                    pivot = i;
                }
            }
            if (a[pivot][pivot] < SINGULAR) {
                break;
            }
            done[pivot] = true;
            double divisor = a[pivot][pivot];
            for (int j = 0; j < 2 * n; j++) {
                a[pivot][j] /= divisor;
            }
            for (int i = 0; i < n; i++) {
                double factor = a[i][pivot];
                if (i != pivot && factor != 0) {
                    for (int j = 0; j < 2 * n; j++) {
                        a[i][j] -= factor * a[pivot][j];
                    }
                }
            }
        }
        double[][] inverse = new double[n][n];
        for (int i = 0; i < n; i++) {
            if (done[i]) {
                System.arraycopy(a[i], n, inverse[i], 0, n);
            }
        }
        return inverse;
    }
}
