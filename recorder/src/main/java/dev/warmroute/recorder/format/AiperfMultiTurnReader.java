package dev.warmroute.recorder.format;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.List;

/**
 * AIPerf's {@code multi_turn}: a session a line, {@code session_id} and {@code turns[]} of {@code text} or {@code texts}, with
 * {@code timestamp} or {@code delay} in milliseconds and a {@code role}. A turn is what the user adds; the session's earlier
 * turns and answers are sent before it. A turn of another role than the user adds to the session and asks for nothing. Answers
 * have no length: each counts as one token. Of texts only sizes and equality are taken ({@link Texts}).
 */
final class AiperfMultiTurnReader extends StreamedReader<TraceLines> {
    private final Texts texts = new Texts();
    private boolean times;

    AiperfMultiTurnReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.AIPERF_MULTI_TURN, new TraceLines(file));
    }

    @Override
    boolean readRow() {
        if (!source.next()) {
            return false;
        }
        if (!source.isBlank()) {
            JsonFields row = JsonFields.of(source.text());
            session(row.textOr("session_id", "line-" + source.number()), row.list("turns"));
        }
        return true;
    }

    private void session(String session, JsonNode turns) {
        Prompt said = Prompt.empty();
        int turn = 0;
        long arrival = 0;
        for (JsonNode node : turns) {
            JsonFields entry = new JsonFields(node);
            said = said.tokens() == 0
                    ? added(entry)
                    : Prompt.builder().all(said).all(added(entry)).build();
            if (!entry.textOr("role", "user").equals("user")) {
                continue;
            }
            turn++;
            long gap = turn > 1 ? entry.millisOr("delay", Turn.UNKNOWN) : Turn.UNKNOWN;
            times |= entry.has("timestamp");
            arrival = entry.millisOr("timestamp", arrival + Math.max(0, gap));
            if (said.tokens() == 0) {
                throw new RowException("text", "expected a text in the first turn of session " + session);
            }
            long answer = Turn.freshOutput(index());
            emit(new Turn(index(), arrival, session, "", turn, gap, said, 1, answer, Turn.Recorded.NOTHING));
            said = Prompt.builder().all(said).span(answer, 1).build();
        }
    }

    private Prompt added(JsonFields entry) {
        Prompt.Builder prompt = Prompt.builder();
        if (entry.has("texts")) {
            for (JsonNode text : entry.list("texts")) {
                prompt.span(texts.start(text.asText()), Texts.tokens(text.asText()));
            }
        } else {
            String text = entry.text("text");
            prompt.span(texts.start(text), Texts.tokens(text));
        }
        return prompt.build();
    }

    @Override
    boolean hasTimes() {
        return times;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.TOKENS;
    }

    @Override
    List<String> notes() {
        return List.of(
                "every " + Texts.BYTES_PER_TOKEN + " bytes of text count as a token",
                "answers have no length and count as 1 token");
    }
}
