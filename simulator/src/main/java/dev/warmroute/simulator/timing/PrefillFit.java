package dev.warmroute.simulator.timing;

import dev.warmroute.router.UserError;
import java.util.List;

/**
 * Fits the terms of a step that computes prompts and nothing else to measured times: {@code t0 + b * tokens + b2 * pairs}, each at
 * least 0, by least squares on the relative errors.
 *
 * @param law the law, without terms for decoding
 * @param rmsPct root mean square of the relative errors, in percent
 * @param times that it was fitted to
 */
public record PrefillFit(AffineLaw law, double rmsPct, int times) {

    /**
     * One measured time.
     *
     * @param tokens prompt tokens computed in the step
     * @param pairs token pairs, see {@link StepTimeLaw#chunkAttention}
     */
    public record Measured(double tokens, double pairs, double seconds) {}

    /** @throws UserError if there is nothing to fit to */
    public static PrefillFit of(List<Measured> times) {
        if (times.isEmpty()) {
            throw new UserError("no time is left to fit a step-time law to");
        }
        LeastSquares fit = new LeastSquares(3);
        times.forEach(t -> fit.add(new double[] {1, t.tokens, t.pairs}, t.seconds, 1 / (t.seconds * t.seconds)));
        LeastSquares.Solution solution = fit.solve();
        double[] c = solution.coefficients();
        return new PrefillFit(
                AffineLaw.ofSeconds(c[0], c[1], c[2], 0, 0),
                100 * Math.sqrt(solution.squares() / times.size()),
                times.size());
    }
}
