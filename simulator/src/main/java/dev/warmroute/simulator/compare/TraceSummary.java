package dev.warmroute.simulator.compare;

import java.util.Objects;

/**
 * What was replayed: the trace's or the workload's identity and size.
 *
 * @param source trace argument as it was given, or the workload's name
 * @param hash identity of the content; empty when the source has none
 * @param requests requests in it; for a workload those of its first seed and policy
 * @param sessions conversations in it
 * @param withoutSession requests that belong to no conversation; session policies balance them
 * @param promptTokens sum of the prompts' tokens
 * @param outputTokens sum of the generated tokens
 * @param spanS recorded time from the first to the last arrival, or the length of the workload, in seconds
 */
public record TraceSummary(
        String source,
        String hash,
        long requests,
        long sessions,
        long withoutSession,
        long promptTokens,
        long outputTokens,
        double spanS) {
    public TraceSummary {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(hash, "hash");
    }
}
