package dev.warmroute.simulator.timing;

import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.KvSettings;
import dev.warmroute.simulator.kv.ModelSpec;

/**
 * {@code t = fixed + max(weights read / bandwidth, 2 * active parameters * tokens / FLOPs) + prefill attention FLOPs +
 * KV bytes / bandwidth + per sequence}: a small batch waits for the weights, a large one for the arithmetic.
 *
 * <p>Tokens are prefill tokens and decoding sequences together. Of a mixture of experts the weights of every expert that
 * some token is sent to are read, {@code 1 - (1 - share)^tokens} of them if tokens choose evenly. The number of tokens does
 * not change in a run of decode steps, so the law is affine in the KV tokens.
 *
 * <p>Not modelled: traffic between cards (tensor parallelism divides weights, FLOPs and KV bytes, nothing else) and kernels
 * that get better with size.
 *
 * @param fixedPicos picoseconds a step takes whatever is in it
 * @param denseReadPicos picoseconds to read the weights that every token uses
 * @param expertReadPicos picoseconds to read all experts; 0 for a dense model
 * @param expertShare share of the experts that one token uses; 0 for a dense model
 * @param tokenPicos picoseconds of arithmetic a token
 * @param attentionPairPicos picoseconds a token pair of prefill attention; may be fractional
 * @param contextTokenPicos picoseconds per KV token read by decoding sequences
 * @param sequencePicos picoseconds per decoding sequence
 * @param mixedSequencePicos picoseconds more per decoding sequence in a step that also computes prompts
 */
public record RooflineLaw(
        long fixedPicos,
        long denseReadPicos,
        long expertReadPicos,
        double expertShare,
        long tokenPicos,
        double attentionPairPicos,
        long contextTokenPicos,
        long sequencePicos,
        long mixedSequencePicos)
        implements ContextAffineLaw {
    private static final double MICRO = 1e-6;
    private static final double FLOPS_PER_PARAMETER = 2;

    public RooflineLaw {
        if (fixedPicos < 0
                || denseReadPicos < 0
                || expertReadPicos < 0
                || tokenPicos < 0
                || contextTokenPicos < 0
                || sequencePicos < 0
                || mixedSequencePicos < 0
                || !(attentionPairPicos >= 0 && Double.isFinite(attentionPairPicos))
                || !(expertShare >= 0 && expertShare <= 1)) {
            throw new IllegalArgumentException(
                    "the parts of a step must not be negative, the experts' share at most 1: "
                            + fixedPicos + ", " + denseReadPicos + ", " + expertReadPicos + ", " + expertShare + ", "
                            + tokenPicos
                            + ", " + attentionPairPicos + ", " + contextTokenPicos + ", " + sequencePicos);
        }
    }

    /** Works the law out from model, card, the types and tensor parallelism in the settings, and efficiencies. */
    public static RooflineLaw of(ModelSpec model, GpuSpec gpu, KvSettings settings, Efficiency efficiency) {
        int ranks = settings.tensorParallel();
        double bytesPerSecond = gpu.bytesPerSecond() * efficiency.bandwidth();
        double flopsPerSecond = gpu.flopsPerSecond() * efficiency.compute() * ranks;
        return new RooflineLaw(
                AffineLaw.picos((efficiency.stepMicros()
                                + efficiency.layerMicros() * model.attention().layers())
                        * MICRO),
                AffineLaw.picos(model.denseReadBytes(settings.weightDtype()) / ranks / bytesPerSecond),
                AffineLaw.picos(model.expertBytes(settings.weightDtype()) / ranks / bytesPerSecond),
                model.experts().share(),
                AffineLaw.picos(FLOPS_PER_PARAMETER * model.activeParameters() / flopsPerSecond),
                model.attentionFlopsPerPair() / flopsPerSecond * 1e12,
                AffineLaw.picos(model.kvBytesPerToken(settings.kvDtype(), ranks) / bytesPerSecond),
                AffineLaw.picos(efficiency.sequenceMicros() * MICRO
                        + model.sequenceBytes(settings.kvDtype(), ranks) / bytesPerSecond),
                AffineLaw.picos(efficiency.mixedSequenceMicros() * MICRO));
    }

    @Override
    public long stepPicos(long prefillTokens, double prefillAttention, int decodeSequences, long kvTokens) {
        long tokens = prefillTokens + decodeSequences;
        return fixedPicos
                + Math.max(denseReadPicos + expertsRead(tokens), tokens * tokenPicos)
                + Math.round(prefillAttention * attentionPairPicos)
                + kvTokens * contextTokenPicos
                + decodeSequences * (prefillTokens > 0 ? sequencePicos + mixedSequencePicos : sequencePicos);
    }

    private long expertsRead(long tokens) {
        // StrictMath, since Math.pow may differ in the last bit from one machine to the next.
        return expertReadPicos == 0 ? 0 : Math.round(expertReadPicos * (1 - StrictMath.pow(1 - expertShare, tokens)));
    }
}
