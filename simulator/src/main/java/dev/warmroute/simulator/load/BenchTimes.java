package dev.warmroute.simulator.load;

import java.util.OptionalDouble;

/**
 * The times of one request; empty where it has none: a failed one, or an answer whose tokens nobody counted.
 *
 * @param ttftMillis sending to the first byte of the answer's body
 * @param tokenMillis first byte to last byte, for each output token but the first
 * @param wholeMillis sending to the last byte
 * @param promptPerSecond prompt tokens for each second to the first byte
 */
record BenchTimes(
        OptionalDouble ttftMillis,
        OptionalDouble tokenMillis,
        OptionalDouble wholeMillis,
        OptionalDouble promptPerSecond) {
    private static final BenchTimes NONE = new BenchTimes(
            OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    static BenchTimes of(RequestOutcome r) {
        if (!r.ok() || r.firstByteNanos() == RequestOutcome.NONE) {
            return NONE;
        }
        double ttft = Math.max(1, r.firstByteNanos() - r.sentNanos()) * 1e-6;
        double rest = Math.max(1, r.lastByteNanos() - r.firstByteNanos()) * 1e-6;
        return new BenchTimes(
                OptionalDouble.of(ttft),
                r.completionTokens() > 1
                        ? OptionalDouble.of(rest / (r.completionTokens() - 1))
                        : OptionalDouble.empty(),
                OptionalDouble.of(ttft + rest),
                r.promptTokens() > 0 ? OptionalDouble.of(r.promptTokens() / ttft * 1e3) : OptionalDouble.empty());
    }

    /** Output tokens a second after the first. */
    OptionalDouble generatedPerSecond() {
        return tokenMillis.isPresent() ? OptionalDouble.of(1e3 / tokenMillis.getAsDouble()) : OptionalDouble.empty();
    }
}
