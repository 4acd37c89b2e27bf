package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** Conversations for vLLM's multi-turn benchmark, with made-up text of the right length; equal tokens are equal text. */
final class VllmConversationsWriter implements TurnWriter {
    private final Writer text;
    private final JsonRows rows;
    private final Additive sessions = new Additive();

    VllmConversationsWriter(Writer text, TraceDescription source) {
        this.text = text;
        this.rows = new JsonRows(text);
    }

    @Override
    public void write(Turn t) {
        sessions.add(t);
    }

    @Override
    public void finish() {
        rows.beginList();
        sessions.sessions().forEach(this::conversation);
        rows.endList().flush();
        try {
            text.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void conversation(String name, List<Turn> turns) {
        rows.begin().text("id", name).beginList("messages");
        for (int i = 0; i < turns.size(); i++) {
            Turn t = turns.get(i);
            message("user", Texts.filler(t.prompt(), Additive.repeated(turns, i)));
            message("assistant", Texts.filler(t.outputStart(), t.outputTokens()));
        }
        rows.endList().end();
    }

    private void message(String role, String content) {
        rows.begin().text("role", role).text("content", content).end();
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(sessions.notes());
        notes.add(
                "texts are made up: four letters a token, the same for the same token; a tokenizer will count otherwise");
        return notes;
    }
}
