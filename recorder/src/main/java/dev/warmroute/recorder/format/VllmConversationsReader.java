package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.util.List;

/**
 * Conversations of vLLM's multi-turn benchmark ({@code benchmark_serving_multi_turn.py}): a list of {@code {id, messages[{role,
 * content}]}}. Each message of the assistant is the answer to a request that has all before it; user messages behind the last
 * answer ask for one token. There are no times: the benchmark sends a turn as soon as the answer before is there. Of texts
 * only sizes and equality are taken ({@link Texts}). What follows a wrong message repeats it, so that a conversation ends where
 * it is wrong: it counts as one wrong row, however long it is.
 */
final class VllmConversationsReader extends StreamedReader<JsonSessions> {
    private final Texts texts = new Texts();
    private String id = "";
    private Prompt said = Prompt.empty();
    private boolean asked;
    private boolean bad;
    private int turn;
    private boolean ended;
    private long cut;

    VllmConversationsReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.VLLM_CONVERSATIONS, new JsonSessions(file, "messages"));
    }

    @Override
    boolean readRow() {
        if (ended || !nextMessage()) {
            unanswered();
            ended = true;
            return false;
        }
        if (source.number() == 1) {
            unanswered();
            said = Prompt.empty();
            turn = 0;
            bad = false;
        }
        if (bad) {
            return true;
        }
        try {
            id = source.head().text("id");
            message(source.element());
        } catch (RowException e) {
            bad = true;
            asked = false;
            throw e;
        }
        return true;
    }

    private boolean nextMessage() {
        try {
            return source.next();
        } catch (RowException e) {
            if (source.head().has("filetype")) {
                throw new UserError(
                        file().path() + " describes conversations to be generated; let the benchmark write them with"
                                + " --output-file and import that",
                        e);
            }
            throw e;
        }
    }

    private void message(JsonFields message) {
        String content = message.textOr("content", "");
        Prompt text = content.isEmpty() ? Prompt.empty() : Prompt.of(texts.start(content), Texts.tokens(content));
        if (!message.text("role").equals("assistant")) {
            said = Prompt.builder().all(said).all(text).build();
            asked = said.tokens() > 0;
        } else if (asked) {
            request(text);
        } else {
            throw new RowException("role", "expected a message of the user before an answer");
        }
    }

    private void unanswered() {
        if (asked) {
            cut++;
            request(Prompt.empty());
        }
    }

    private void request(Prompt answer) {
        asked = false;
        turn++;
        long start = answer.tokens() == 0 ? Turn.freshOutput(index()) : answer.start(0);
        emit(new Turn(
                index(),
                0,
                id,
                "",
                turn,
                turn == 1 ? Turn.UNKNOWN : 0,
                said,
                Math.max(1, answer.tokens()),
                start,
                Turn.Recorded.NOTHING));
        said = Prompt.builder().all(said).all(answer).build();
    }

    @Override
    boolean hasTimes() {
        return false;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.TOKENS;
    }

    @Override
    List<String> notes() {
        String bytes = "every " + Texts.BYTES_PER_TOKEN + " bytes of text count as a token";
        return cut == 0
                ? List.of(bytes)
                : List.of(bytes, cut + " conversations end with a question, whose answer counts as 1 token");
    }
}
