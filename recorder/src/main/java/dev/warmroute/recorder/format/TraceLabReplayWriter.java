package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * TraceLab's replay CSV. The wait after a round is known only when the next one of its session comes, so rounds are held back
 * until then, and with them all that came later.
 */
final class TraceLabReplayWriter implements TurnWriter {
    private final CsvRows rows;
    private final Histories histories = new Histories();
    private final Map<String, Session> sessions = new HashMap<>();
    private final Deque<Round> held = new ArrayDeque<>();
    private long unknownGaps;

    /** A session, with its last round so far. */
    private static final class Session {
        private final long arrivalNanos;
        private int rounds;
        private Round last;

        private Session(long arrivalNanos) {
            this.arrivalNanos = arrivalNanos;
        }
    }

    private static final class Round {
        private final Object[] fields;
        private boolean complete;

        private Round(Object... fields) {
            this.fields = fields;
        }

        private void waitAfter(long nanos) {
            fields[fields.length - 1] = CsvRows.time(Math.max(0, nanos), JsonRows.MILLI);
            complete = true;
        }
    }

    TraceLabReplayWriter(Writer text, TraceDescription source) {
        rows = new CsvRows(
                text,
                "session_id",
                "arrival_time",
                "round_idx",
                "prefix_len",
                "input_len",
                "output_len",
                "tool_wait_after_ms");
    }

    @Override
    public void write(Turn t) {
        String key = t.hasSession() ? t.affinityKey() : "request-" + t.index();
        Session session = sessions.computeIfAbsent(key, k -> new Session(t.arrivalNanos()));
        int prefix = histories.of(key).commonPrefix(t.prompt());
        histories.add(key, t.prompt(), t.outputStart(), t.outputTokens());
        if (session.last != null) {
            unknownGaps += t.gapNanos() < 0 ? 1 : 0;
            session.last.waitAfter(t.gapNanos());
        }
        session.last = new Round(
                key,
                CsvRows.time(session.arrivalNanos, JsonRows.MILLI),
                session.rounds++,
                prefix,
                t.prompt().tokens() - prefix,
                t.outputTokens(),
                "0");
        held.add(session.last);
        while (!held.isEmpty() && held.peekFirst().complete) {
            rows.row(held.removeFirst().fields);
        }
    }

    @Override
    public void finish() {
        held.forEach(r -> rows.row(r.fields));
        held.clear();
    }

    @Override
    public List<String> notes() {
        return unknownGaps == 0 ? List.of() : List.of(unknownGaps + " unknown times between turns were written as 0");
    }
}
