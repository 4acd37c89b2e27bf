package dev.warmroute.simulator.compare;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.SessionIndex;
import java.util.List;
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

    /** Sums up a trace. */
    public static TraceSummary of(String source, String hash, List<Turn> turns, SessionIndex sessions) {
        long prompt = 0;
        long output = 0;
        long without = 0;
        long first = Long.MAX_VALUE;
        long last = 0;
        for (Turn t : turns) {
            prompt += t.prompt().tokens();
            output += t.outputTokens();
            without += t.hasSession() ? 0 : 1;
            first = Math.min(first, t.arrivalNanos());
            last = Math.max(last, t.arrivalNanos());
        }
        double span = turns.isEmpty() ? 0 : (last - first) / 1e9;
        return new TraceSummary(source, hash, turns.size(), sessions.sessions(), without, prompt, output, span);
    }

    /** Sums up what a workload sent in one replay. */
    static TraceSummary of(String source, Outcome outcome, double seconds) {
        RequestLog log = outcome.requests();
        long requests = 0;
        long prompt = 0;
        long output = 0;
        for (int r = 0; r < log.size(); r++) {
            if (log.wasSent(r)) {
                requests++;
                prompt += log.promptTokens(r);
                output += log.produced(r);
            }
        }
        long sessions = 0;
        for (int s = 0; s < outcome.sessions().size(); s++) {
            sessions += outcome.sessions().hasStarted(s) ? 1 : 0;
        }
        return new TraceSummary(source, "", requests, sessions, 0, prompt, output, seconds);
    }
}
