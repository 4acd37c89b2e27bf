package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.compare.TraceSummary;

/** Sums over a trace that is read once. */
final class TraceTotals {
    private long requests;
    private long promptTokens;
    private long outputTokens;
    private long withoutSession;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    void add(Turn turn) {
        requests++;
        promptTokens += turn.prompt().tokens();
        outputTokens += turn.outputTokens();
        withoutSession += turn.hasSession() ? 0 : 1;
        first = Math.min(first, turn.arrivalNanos());
        last = Math.max(last, turn.arrivalNanos());
    }

    long requests() {
        return requests;
    }

    TraceSummary summary(TraceDescription description, int sessions) {
        return new TraceSummary(
                description.name(),
                description.sha256(),
                requests,
                sessions,
                withoutSession,
                promptTokens,
                outputTokens,
                (last - first) / 1e9);
    }
}
