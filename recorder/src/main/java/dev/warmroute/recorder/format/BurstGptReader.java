package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * BurstGPT (HPMLL/BurstGPT): {@code Timestamp} in seconds, of which the first is no zero in every file, {@code Session ID}
 * (only for conversations), {@code Elapsed time} in seconds, {@code Model}, {@code Request tokens}, {@code Response tokens},
 * {@code Log Type}. The first release has neither session nor elapsed time; a field may be blank. A request without response
 * tokens failed and is left out.
 */
final class BurstGptReader extends CsvReader {
    private static final String TIME = "Timestamp";
    private static final String ELAPSED = "Elapsed time";

    private final Histories histories = new Histories();
    private final Conversations conversations = new Conversations();
    private OptionalLong start = OptionalLong.empty();
    private long failed;

    BurstGptReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.BURSTGPT, TIME, "Request tokens", "Response tokens");
    }

    @Override
    void row(CsvRow row) {
        long time = row.nanos(TIME, JsonRows.SECOND);
        int tokens = row.tokens("Request tokens", 0);
        int output = row.tokens("Response tokens", 0);
        long duration = row.has(ELAPSED) ? Math.max(0, row.nanos(ELAPSED, JsonRows.SECOND)) : Turn.UNKNOWN;
        if (row.has("Total tokens") && row.whole("Total tokens", 0, Long.MAX_VALUE) != (long) tokens + output) {
            throw row.wrong(
                    "Total tokens", "expected " + ((long) tokens + output) + ", the sum of request and response");
        }
        if (start.isEmpty()) {
            start = OptionalLong.of(time);
        }
        if (output == 0) {
            failed++;
            return;
        }
        if (time < start.getAsLong()) {
            throw row.wrong(TIME, "expected a time not before that of the first row; sort the file by " + TIME);
        }
        if (tokens == 0) {
            throw row.wrong("Request tokens", "expected at least 1 where there is a response");
        }
        String session = row.text("Session ID");
        long arrival = time - start.getAsLong();
        int turn = conversations.next(session);
        Prompt prompt = histories.assumed(session, index(), tokens);
        histories.add(session, prompt, Turn.freshOutput(index()), output);
        Turn t = new Turn(
                index(),
                arrival,
                session,
                "",
                turn,
                conversations.gap(session, arrival),
                prompt,
                output,
                Turn.freshOutput(index()),
                new Turn.Recorded(-1, Turn.UNKNOWN, Turn.UNKNOWN, duration),
                new Turn.Labels("", "", "", row.text("Model"), row.text("Log Type"), ""));
        conversations.add(session, turn, arrival, duration);
        emit(t);
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.ASSUMED;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (failed > 0) {
            notes.add(failed + " requests without response tokens failed and were left out");
        }
        return notes;
    }
}
