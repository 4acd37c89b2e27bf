package dev.warmroute.simulator.compare;

/** Student's t: how much wider an interval from a few values must be than one from many. */
public final class StudentT {
    /** 97.5th percentile of the normal distribution. */
    static final double NORMAL = 1.960;

    /** 97.5th percentile by degrees of freedom, from 1. */
    private static final double[] T975 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private StudentT() {}

    /**
     * Half the width of a 95 % interval, in standard errors.
     *
     * @param degrees of freedom, at least 1
     */
    public static double quantile(int degrees) {
        if (degrees < 1) {
            throw new IllegalArgumentException("no interval rests on " + degrees + " degrees of freedom");
        }
        return degrees <= T975.length ? T975[degrees - 1] : NORMAL;
    }

    /**
     * How much a bootstrap's percentile interval over n units is to be stretched: it takes the spread of n values for that of
     * the population and the normal distribution for Student's (the expanded percentile interval of Hesterberg 2015).
     *
     * @param n at least 2: a single unit says nothing of how units differ
     */
    static double stretch(int n) {
        if (n < 2) {
            throw new IllegalArgumentException("no interval rests on " + n + " units");
        }
        return Math.sqrt((double) n / (n - 1)) * quantile(n - 1) / NORMAL;
    }
}
