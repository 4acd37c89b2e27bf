package dev.warmroute.simulator.timing;

import dev.warmroute.recorder.trace.Turn;
import java.util.Optional;

/**
 * A request as a recording measured it, from where step times can be learnt.
 *
 * @param run which recording it is from: times of different runs share no clock
 * @param replica where it was served, numbered from 0 within its run
 * @param sentNanos when the replica was sent it
 * @param firstNanos when its first token came
 * @param lastNanos when its last token came
 * @param promptTokens length of its prompt
 * @param cachedTokens part of the prompt found in the prefix cache
 * @param outputTokens tokens it generated
 */
public record ServedRequest(
        int run,
        int replica,
        long sentNanos,
        long firstNanos,
        long lastNanos,
        int promptTokens,
        int cachedTokens,
        int outputTokens) {
    public ServedRequest {
        if (replica < 0 || sentNanos > firstNanos || firstNanos > lastNanos) {
            throw new IllegalArgumentException(
                    "a served request has a replica and is sent before its first token, which comes"
                            + " before its last: replica " + replica + ", " + sentNanos + ", " + firstNanos + ", "
                            + lastNanos + " ns");
        }
        if (promptTokens < 1 || cachedTokens < 0 || cachedTokens >= promptTokens || outputTokens < 1) {
            throw new IllegalArgumentException("a served request has a prompt that is not wholly cached, and output: "
                    + promptTokens + ", " + cachedTokens + ", " + outputTokens + " tokens");
        }
    }

    /** A turn as its recording measured it; empty where the recording does not say all of it. */
    public static Optional<ServedRequest> of(int run, Turn turn) {
        Turn.Recorded r = turn.recorded();
        if (r.replica() < 0
                || r.cachedTokens() < 0
                || r.cachedTokens() >= turn.prompt().tokens()
                || r.ttftNanos() < 0
                || r.durationNanos() < r.ttftNanos()
                || turn.outputTokens() < 1) {
            return Optional.empty();
        }
        return Optional.of(new ServedRequest(
                run,
                r.replica(),
                turn.arrivalNanos(),
                turn.arrivalNanos() + r.ttftNanos(),
                turn.arrivalNanos() + r.durationNanos(),
                turn.prompt().tokens(),
                (int) r.cachedTokens(),
                turn.outputTokens()));
    }

    int computedTokens() {
        return promptTokens - cachedTokens;
    }
}
