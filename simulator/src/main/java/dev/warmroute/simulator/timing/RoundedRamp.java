package dev.warmroute.simulator.timing;

/**
 * Sums of an arithmetic progression of picoseconds in which every term is rounded to nanoseconds before it is added:
 * {@code sum over i < n of floor((first + i * growth + 500) / 1000)}.
 *
 * <p>The sum of floors of a linear function has a closed form by a Euclid-like reduction: whole quotients are taken out,
 * then the lattice points under the line are counted with the axes exchanged, which shrinks the numbers as in the
 * algorithm for the greatest common divisor. At most about ten rounds are needed here.
 */
final class RoundedRamp {
    static final long PICOS_PER_NANO = 1000;

    /** Longest time that is searched, 36 years: keeps every intermediate number below 2^63. */
    private static final long LONGEST_NANOS = 1L << 60;

    private RoundedRamp() {}

    /** Rounds half up. */
    static long toNanos(long picos) {
        return (picos + PICOS_PER_NANO / 2) / PICOS_PER_NANO;
    }

    /**
     * Returns the sum in nanoseconds.
     *
     * @param firstPicos first term, at least 0
     * @param growthPicos what each term is longer than the one before, at least 0
     * @param terms how many
     * @throws ArithmeticException if the sum does not fit a long (292 years)
     */
    static long sumNanos(long firstPicos, long growthPicos, long terms) {
        if (terms <= 0) {
            return 0;
        }
        long n = terms;
        long divisor = PICOS_PER_NANO;
        long slope = growthPicos;
        long offset = firstPicos + PICOS_PER_NANO / 2;
        long sum = 0;
        while (true) {
            if (slope >= divisor) {
                sum = Math.addExact(sum, Math.multiplyExact(pairs(n), slope / divisor));
                slope %= divisor;
            }
            if (offset >= divisor) {
                sum = Math.addExact(sum, Math.multiplyExact(n, offset / divisor));
                offset %= divisor;
            }
            long top = Math.addExact(Math.multiplyExact(slope, n), offset);
            if (top < divisor) {
                return sum;
            }
            n = top / divisor;
            offset = top % divisor;
            long exchanged = divisor;
            divisor = slope;
            slope = exchanged;
        }
    }

    /**
     * Returns the largest number of terms, at most {@code maxTerms}, whose sum is at most {@code nanos}; times beyond 36
     * years count as 36 years.
     */
    static long stepsWithin(long firstPicos, long growthPicos, long nanos, long maxTerms) {
        if (maxTerms <= 0 || nanos < 0) {
            return 0;
        }
        long limit = Math.min(nanos, LONGEST_NANOS);
        if (growthPicos == 0) {
            long each = toNanos(firstPicos);
            return each == 0 ? maxTerms : Math.min(maxTerms, limit / each);
        }
        long fits = 0;
        long tooMany = 0;
        long guess = Math.min(maxTerms, unrounded(firstPicos, growthPicos, limit));
        // The guess ignores rounding, so the answer is near it: widen around it, then halve.
        for (long reach = 1; ; reach *= 2) {
            if (sumNanos(firstPicos, growthPicos, guess) <= limit) {
                fits = guess;
                if (fits == maxTerms) {
                    return fits;
                }
                guess = Math.min(maxTerms, guess + reach);
            } else {
                tooMany = guess;
                guess = Math.max(0, guess - reach);
            }
            if (tooMany > fits && (fits > 0 || guess == 0)) {
                break;
            }
        }
        while (tooMany - fits > 1) {
            long middle = (fits + tooMany) >>> 1;
            if (sumNanos(firstPicos, growthPicos, middle) <= limit) {
                fits = middle;
            } else {
                tooMany = middle;
            }
        }
        return fits;
    }

    /** Solves growth/2 n^2 + (first - growth/2) n = nanos for n, in the form that does not cancel. */
    private static long unrounded(long firstPicos, long growthPicos, long nanos) {
        double picos = (double) nanos * PICOS_PER_NANO;
        double linear = firstPicos - growthPicos / 2.0;
        double root = Math.sqrt(linear * linear + 2.0 * growthPicos * picos);
        return picos == 0 ? 0 : (long) (2 * picos / (linear + root));
    }

    /** n (n - 1) / 2 without overflow before the division. */
    private static long pairs(long n) {
        return n % 2 == 0 ? Math.multiplyExact(n / 2, n - 1) : Math.multiplyExact(n, (n - 1) / 2);
    }
}
