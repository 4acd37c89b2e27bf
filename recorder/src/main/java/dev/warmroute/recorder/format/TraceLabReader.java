package dev.warmroute.recorder.format;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.List;
import java.util.Set;

/**
 * Rounds of coding agents (uw-syfi/TraceLab), one a line: {@code session_id, round_index, input_tokens_total} = {@code
 * prefix_tokens} (read from the provider's cache) + {@code newly_append_tokens}, {@code output_tokens}, {@code timing_events}
 * on the wall clock. A round is sent when the last message or tool result before its first output is there, and ends with its
 * last event. There are no block hashes: a prompt long enough repeats its conversation with the last answer, a shorter one
 * (compaction, an edit) what the cache had of it. The file is read twice, because rounds are not in the order of their times.
 */
final class TraceLabReader extends StreamedReader<TraceLines> {
    private static final String EVENTS = "timing_events";
    private static final Set<String> INPUT = Set.of("user_message", "tool_result");

    private final long start;
    private final Histories histories = new Histories();
    private final Conversations conversations = new Conversations();

    /** When a round was sent and when it ended; {@link Turn#UNKNOWN} where no event tells. */
    private record Times(long sent, long ended) {
        static Times of(JsonNode events) {
            long sent = Turn.UNKNOWN;
            long ended = Turn.UNKNOWN;
            for (JsonNode event : events) {
                long at = WallClock.nanos(EVENTS, event.path("timestamp").asText());
                if (!INPUT.contains(event.path("event_type").asText())) {
                    ended = Math.max(ended, at);
                } else if (ended == Turn.UNKNOWN) {
                    sent = Math.max(sent, at);
                }
            }
            return new Times(sent == Turn.UNKNOWN ? ended : sent, ended);
        }
    }

    TraceLabReader(TraceFile file, OnError onError) {
        this(file, onError, TraceLines.earliest(file, TraceLabReader::sent));
    }

    private TraceLabReader(TraceFile file, OnError onError, long start) {
        super(file, onError, TraceFormat.TRACELAB, new TraceLines(file));
        this.start = start;
    }

    /** When the request of a row was sent. */
    private static long sent(TraceLines line) {
        long sent = Times.of(JsonFields.of(line.text()).list(EVENTS)).sent;
        return sent < 0 ? Long.MAX_VALUE : sent;
    }

    @Override
    boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            emit(turn(JsonFields.of(source.text())));
        }
        return true;
    }

    private Turn turn(JsonFields row) {
        String session = row.text("session_id");
        int tokens = row.tokens("input_tokens_total", 1);
        int cached = row.tokens("prefix_tokens", 0);
        int appended = row.tokens("newly_append_tokens", 0);
        int output = Math.max(1, row.tokens("output_tokens", 0));
        if (tokens != cached + appended) {
            throw new RowException(
                    "input_tokens_total",
                    "expected " + (cached + appended) + ", the sum of prefix_tokens and newly_append_tokens, found "
                            + tokens);
        }
        Times times = Times.of(row.list(EVENTS));
        if (times.sent == Turn.UNKNOWN) {
            throw new RowException(EVENTS, "expected at least one event");
        }
        long arrival = times.sent - start;
        long duration = times.ended < 0 ? Turn.UNKNOWN : Math.max(0, times.ended - times.sent);
        int turn = row.has("round_index") ? row.count("round_index", 0) + 1 : conversations.next(session);
        Prompt prompt = histories.assumed(session, index(), tokens, cached);
        histories.add(session, prompt, Turn.freshOutput(index()), output);
        long gap = conversations.gap(session, arrival);
        conversations.add(session, turn, arrival, duration);
        return new Turn(
                index(),
                arrival,
                session,
                "",
                turn,
                gap,
                prompt,
                output,
                Turn.freshOutput(index()),
                new Turn.Recorded(-1, cached, Turn.UNKNOWN, duration),
                new Turn.Labels(
                        row.textOr("round_id", ""), "", "", row.textOr("model", ""), row.textOr("provider", ""), ""));
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.ASSUMED;
    }

    @Override
    List<String> notes() {
        return List.of(
                "a prompt shorter than its conversation repeats as much of it as the provider's cache had; what the first"
                        + " round of a session found in the cache is not shared with other sessions");
    }
}
