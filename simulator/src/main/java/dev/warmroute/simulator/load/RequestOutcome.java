package dev.warmroute.simulator.load;

import java.util.Objects;

/**
 * One request of a load, as its client saw it. Times are nanoseconds of the wall clock from the start of the run.
 *
 * @param session session id as sent
 * @param slot which of the concurrent sessions, from 0
 * @param turn turn within the session, from 1
 * @param sentNanos when it was sent
 * @param firstByteNanos when the first byte of the answer's body came; {@link #NONE} if none did
 * @param lastByteNanos when the answer ended, or the attempt
 * @param status HTTP status; 0 if there was no answer
 * @param error what went wrong, in words; empty when the answer is complete
 * @param promptTokens as the server said, or {@link #NONE}
 * @param cachedTokens as the server said, or {@link #NONE}
 * @param completionTokens as the server said, or {@link #NONE}
 */
public record RequestOutcome(
        String session,
        int slot,
        int turn,
        long sentNanos,
        long firstByteNanos,
        long lastByteNanos,
        int status,
        String error,
        int promptTokens,
        int cachedTokens,
        int completionTokens) {

    /** Stands for a time or a count that there is not. */
    public static final int NONE = -1;

    public RequestOutcome {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(error, "error");
    }

    /** Whether the whole answer came. */
    public boolean ok() {
        return error.isEmpty();
    }
}
