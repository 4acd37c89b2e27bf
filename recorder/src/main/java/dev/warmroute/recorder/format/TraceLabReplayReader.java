package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * TraceLab's replay CSV, a closed loop: {@code session_id} (or {@code id}), {@code round_idx}, {@code prefix_len} tokens
 * repeated from the conversation, {@code input_len} tokens appended to them (not the whole prompt), {@code output_len}, {@code
 * tool_wait_after_ms} from the answer to the next round, {@code arrival_time} of the session in milliseconds. When later
 * rounds arrive is up to the replay; here they have the earliest time that they can, as if answers took none.
 */
final class TraceLabReplayReader extends CsvReader {
    private final String sessionColumn;
    private final boolean times;
    private final Histories histories = new Histories();
    private final Map<String, Round> rounds = new HashMap<>();
    private long beyond;

    private record Round(int turn, long arrivalNanos, long waitNanos) {}

    TraceLabReplayReader(TraceFile file, OnError onError) {
        super(
                file,
                onError,
                TraceFormat.TRACELAB_REPLAY,
                "round_idx",
                "prefix_len",
                "input_len",
                "output_len",
                "tool_wait_after_ms");
        this.sessionColumn = header().has("session_id") ? "session_id" : "id";
        this.times = header().has("arrival_time");
    }

    @Override
    void row(CsvRow row) {
        String session = row.text(sessionColumn);
        if (session.isEmpty()) {
            throw row.wrong(sessionColumn, "expected a session");
        }
        int turn = row.tokens("round_idx", 0) + 1;
        int prefix = row.tokens("prefix_len", 0);
        int appended = row.tokens("input_len", 0);
        int output = Math.max(1, row.tokens("output_len", 0));
        long wait = Math.max(0, row.nanos("tool_wait_after_ms", JsonRows.MILLI));
        Round before = rounds.get(session);
        if (before == null ? turn != 1 : turn != before.turn + 1) {
            throw row.wrong(
                    "round_idx",
                    "expected " + (before == null ? 0 : before.turn) + " as the next round of session " + session);
        }
        if (prefix + appended < 1) {
            throw row.wrong("input_len", "expected a prompt of at least 1 token");
        }
        long arrival = before != null
                ? before.arrivalNanos + before.waitNanos
                : times ? Math.max(0, row.nanos("arrival_time", JsonRows.MILLI)) : 0;
        beyond += prefix > histories.of(session).tokens() ? 1 : 0;
        Prompt prompt = histories.prompt(session, index(), prefix + appended, prefix);
        histories.add(session, prompt, Turn.freshOutput(index()), output);
        rounds.put(session, new Round(turn, arrival, wait));
        emit(new Turn(
                index(),
                arrival,
                session,
                "",
                turn,
                before == null ? Turn.UNKNOWN : before.waitNanos,
                prompt,
                output,
                Turn.freshOutput(index()),
                Turn.Recorded.NOTHING));
    }

    @Override
    boolean hasTimes() {
        return times;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.LENGTHS;
    }

    @Override
    List<String> notes() {
        return beyond == 0
                ? List.of()
                : List.of(
                        beyond
                                + " rounds repeat more than their conversation has said; the rest is taken as tokens of their own");
    }
}
