package dev.warmroute.simulator.timing;

/**
 * {@code t = t0 + b * prefill tokens + b2 * prefill attention + c * KV tokens + d * decode sequences}: what is left of the
 * physics of a step when weights are read once, FLOPs are proportional to tokens and KV bytes to contexts. The form that a
 * regression on measured steps yields.
 *
 * @param basePicos t0, picoseconds a step takes whatever is in it (weights, launch overhead)
 * @param prefillTokenPicos b, picoseconds per prefill token
 * @param attentionPairPicos b2, picoseconds per token pair of prefill attention; may be fractional
 * @param contextTokenPicos c, picoseconds per KV token read by decoding sequences
 * @param sequencePicos d, picoseconds per decoding sequence
 */
public record AffineLaw(
        long basePicos, long prefillTokenPicos, double attentionPairPicos, long contextTokenPicos, long sequencePicos)
        implements ContextAffineLaw {

    /** No step takes any time. */
    public static final AffineLaw INSTANT = new AffineLaw(0, 0, 0, 0, 0);

    public AffineLaw {
        if (basePicos < 0
                || prefillTokenPicos < 0
                || contextTokenPicos < 0
                || sequencePicos < 0
                || !(attentionPairPicos >= 0 && Double.isFinite(attentionPairPicos))) {
            throw new IllegalArgumentException("the coefficients of a step-time law must not be negative: t0="
                    + basePicos
                    + " b=" + prefillTokenPicos + " b2=" + attentionPairPicos + " c=" + contextTokenPicos + " d="
                    + sequencePicos + " (picoseconds)");
        }
    }

    /** Builds a law from coefficients in seconds, rounded to picoseconds. */
    public static AffineLaw ofSeconds(double t0, double b, double b2, double c, double d) {
        return new AffineLaw(picos(t0), picos(b), b2 * 1e12, picos(c), picos(d));
    }

    @Override
    public AffineLaw times(double factor) {
        return new AffineLaw(
                Math.round(basePicos * factor),
                Math.round(prefillTokenPicos * factor),
                attentionPairPicos * factor,
                Math.round(contextTokenPicos * factor),
                Math.round(sequencePicos * factor));
    }

    /** Rounds seconds to picoseconds. */
    static long picos(double seconds) {
        return Math.round(seconds * 1e12);
    }

    @Override
    public long stepPicos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens) {
        return basePicos
                + prefillTokens * prefillTokenPicos
                + Math.round(prefillAttention * attentionPairPicos)
                + kvTokens * contextTokenPicos
                + decodeSequences * sequencePicos;
    }
}
