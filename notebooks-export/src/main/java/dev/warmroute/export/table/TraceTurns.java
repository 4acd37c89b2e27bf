package dev.warmroute.export.table;

import dev.warmroute.recorder.trace.Turn;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests of a trace that is no router's recording as {@link TurnRow}s: what its format carries, and empty what it does
 * not. Times count from the start of the trace.
 */
public final class TraceTurns {
    private TraceTurns() {}

    /** @param policy that decided; empty when the trace does not say */
    public static TurnRow of(Turn turn, String policy) {
        Turn.Recorded recorded = turn.recorded();
        return new TurnRow(
                TurnRow.Run.recorded(policy),
                turn.session(),
                turn.agent(),
                turn.turn(),
                Optional.empty(),
                recorded.replica() >= 0 ? Optional.of("r" + recorded.replica()) : Optional.empty(),
                Optional.empty(),
                "",
                new TurnRow.Times(
                        turn.arrivalNanos(),
                        OptionalLong.empty(),
                        after(turn, recorded.ttftNanos()),
                        after(turn, recorded.durationNanos()),
                        known(turn.gapNanos())),
                new TurnRow.Tokens(
                        OptionalLong.of(turn.prompt().tokens()),
                        known(recorded.cachedTokens()),
                        OptionalLong.of(turn.outputTokens()),
                        Map.of()),
                OptionalLong.empty());
    }

    private static OptionalLong after(Turn turn, long nanos) {
        return nanos == Turn.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(turn.arrivalNanos() + nanos);
    }

    private static OptionalLong known(long value) {
        return value == Turn.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
