package dev.warmroute.simulator.timing;

import java.util.List;

/**
 * Step times interpolated between measurements.
 *
 * <p><b>Prefill</b>: the time {@code T(n)} to compute the first {@code n} tokens of a prompt. A chunk costs what its tokens
 * cost at their place: {@code T(context + n) - T(context)}. The composition of a step has the attention of all chunks in one
 * sum, from which the mean place {@code m = attention / n} follows; the chunks are priced at {@code n} times the mean slope
 * of {@code T} around {@code m}. That is exact for one chunk and for equal chunks of fresh prompts. Beyond the last point
 * {@code T} goes on as the parabola through the last three.
 *
 * <p><b>Decode</b>: the time of a step by the number of sequences, all with the same measured context, and what one more KV
 * token adds. Between points it is linear in the sequences, below the first it is the first, beyond the last it goes on with
 * the last slope.
 *
 * <p>A mixed step takes the longer of the prefill time and the time of the smallest decode step (in which the weights are
 * read), and what its decoding sequences add to the latter.
 */
public final class TableLaw implements ContextAffineLaw {
    private static final double PICOS_PER_MILLI = 1e9;

    private final double[] prefillTokens;
    private final double[] prefillPicos;
    private final double endSlope;
    private final double endCurvature;
    private final double[] sequences;
    private final double[] contextFreePicos;
    private final long contextTokenPicos;

    /**
     * @param tokens length of the prompt
     * @param millis time to compute it, nothing cached, without the delay in front of the engine
     */
    public record PrefillPoint(long tokens, double millis) {}

    /**
     * @param sequences decoding sequences, each with the reference context
     * @param millis time of one step
     */
    public record DecodePoint(int sequences, double millis) {}

    /**
     * Builds a law from at least two points of each kind.
     *
     * @param prefill by growing tokens; times may not fall
     * @param decode by growing sequences; what is left of the times without the KV tokens may not fall
     * @param referenceContext context of each sequence of the decode points, in tokens
     * @param contextTokenPicos picoseconds per KV token
     * @throws IllegalArgumentException naming the point that does not fit
     */
    public TableLaw(
            List<PrefillPoint> prefill, List<DecodePoint> decode, long referenceContext, long contextTokenPicos) {
        if (prefill.size() < 2 || decode.size() < 2 || referenceContext < 0 || contextTokenPicos < 0) {
            throw new IllegalArgumentException("a table law needs two points of prefill and of decode, found "
                    + prefill.size() + " and " + decode.size() + ", and a context and its cost that are not negative");
        }
        this.contextTokenPicos = contextTokenPicos;
        prefillTokens = new double[prefill.size() + 1];
        prefillPicos = new double[prefill.size() + 1];
        for (int i = 0; i < prefill.size(); i++) {
            prefillTokens[i + 1] = prefill.get(i).tokens();
            prefillPicos[i + 1] = prefill.get(i).millis() * PICOS_PER_MILLI;
        }
        requireRising("prefill", prefillTokens, prefillPicos);
        int last = prefill.size();
        double slope = slope(prefillTokens, prefillPicos, last);
        double before = slope(prefillTokens, prefillPicos, last - 1);
        endCurvature = Math.max(0, (slope - before) / (prefillTokens[last] - prefillTokens[last - 2]));
        endSlope = slope + endCurvature * (prefillTokens[last] - prefillTokens[last - 1]);

        sequences = new double[decode.size()];
        contextFreePicos = new double[decode.size()];
        for (int i = 0; i < decode.size(); i++) {
            DecodePoint point = decode.get(i);
            sequences[i] = point.sequences();
            contextFreePicos[i] = point.millis() * PICOS_PER_MILLI
                    - (double) point.sequences() * referenceContext * contextTokenPicos;
        }
        requireRising("decode", sequences, contextFreePicos);
        if (sequences[0] < 1 || contextFreePicos[0] < 0) {
            throw new IllegalArgumentException(
                    "decode: the first point must have a sequence and leave some time without its " + "context: "
                            + decode.get(0));
        }
    }

    @Override
    public long contextTokenPicos() {
        return contextTokenPicos;
    }

    @Override
    public long stepPicos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens) {
        long base = Math.round(contextFreePicos[0]);
        long decoding = decodeSequences == 0 ? 0 : contextFree(decodeSequences) - base + kvTokens * contextTokenPicos;
        return Math.max(base, prefill(prefillTokens, prefillAttention)) + decoding;
    }

    private long prefill(long tokens, double attention) {
        if (tokens == 0) {
            return 0;
        }
        double middle = attention / tokens;
        double half = Math.min(tokens / 2.0, middle);
        if (half <= 0) {
            return 0;
        }
        return Math.round(tokens * (cumulative(middle + half) - cumulative(middle - half)) / (2 * half));
    }

    /** T(n) in picoseconds. */
    private double cumulative(double tokens) {
        int last = prefillTokens.length - 1;
        if (tokens > prefillTokens[last]) {
            double beyond = tokens - prefillTokens[last];
            return prefillPicos[last] + endSlope * beyond + endCurvature * beyond * beyond;
        }
        return interpolate(prefillTokens, prefillPicos, tokens);
    }

    private long contextFree(int count) {
        int last = sequences.length - 1;
        if (count <= sequences[0]) {
            return Math.round(contextFreePicos[0]);
        }
        if (count > sequences[last]) {
            return Math.round(
                    contextFreePicos[last] + slope(sequences, contextFreePicos, last) * (count - sequences[last]));
        }
        return Math.round(interpolate(sequences, contextFreePicos, count));
    }

    private static double interpolate(double[] xs, double[] ys, double x) {
        int upper = 1;
        while (xs[upper] < x) {
            upper++;
        }
        return ys[upper - 1] + slope(xs, ys, upper) * (x - xs[upper - 1]);
    }

    /** Slope of the segment that ends at a point. */
    private static double slope(double[] xs, double[] ys, int end) {
        return (ys[end] - ys[end - 1]) / (xs[end] - xs[end - 1]);
    }

    private static void requireRising(String what, double[] xs, double[] ys) {
        for (int i = 1; i < xs.length; i++) {
            if (!(xs[i] > xs[i - 1] && ys[i] >= ys[i - 1])) {
                throw new IllegalArgumentException(what + ": point " + i + " (" + xs[i] + ", " + ys[i]
                        + " ps) must be to the right of the one before and not below it (" + xs[i - 1] + ", "
                        + ys[i - 1]
                        + " ps)");
            }
        }
    }
}
