package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** AIPerf's {@code multi_turn}, with made-up text of the right length; equal tokens are equal text. */
final class AiperfMultiTurnWriter implements TurnWriter {
    private final JsonRows rows;
    private final TraceDescription source;
    private final Additive sessions = new Additive();

    AiperfMultiTurnWriter(Writer text, TraceDescription source) {
        this.rows = new JsonRows(text);
        this.source = source;
    }

    @Override
    public void write(Turn t) {
        sessions.add(t);
    }

    @Override
    public void finish() {
        sessions.sessions().forEach(this::session);
    }

    private void session(String name, List<Turn> turns) {
        rows.begin().text("session_id", name).beginList("turns");
        for (int i = 0; i < turns.size(); i++) {
            Turn t = turns.get(i);
            rows.begin();
            if (source.hasTimes()) {
                rows.time("timestamp", t.arrivalNanos(), JsonRows.MILLI);
            }
            if (i > 0) {
                rows.timeIfKnown("delay", t.gapNanos(), JsonRows.MILLI);
            }
            rows.text("role", "user")
                    .text("text", Texts.filler(t.prompt(), Additive.repeated(turns, i)))
                    .end();
        }
        rows.endList().endLine();
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(sessions.notes());
        notes.add(
                "texts are made up: four letters a token, the same for the same token; a tokenizer will count otherwise");
        return notes;
    }
}
