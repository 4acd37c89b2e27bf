package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.List;

/** Claude Code requests, one a line, with runs of block ids that count within the session. */
final class ClaudeCodeWriter implements TurnWriter {
    private final JsonRows rows;
    private final TraceDescription source;
    private final SessionBlockIds ids;

    ClaudeCodeWriter(Writer text, TraceDescription source) {
        this.rows = new JsonRows(text);
        this.source = source;
        this.ids = new SessionBlockIds(source, ClaudeCodeReader.BLOCK_SIZE);
    }

    @Override
    public void write(Turn t) {
        rows.begin().text("session", t.session());
        if (t.agent().isEmpty()) {
            rows.nothing("agent");
        } else {
            rows.text("agent", t.agent());
        }
        rows.time("t", t.arrivalNanos(), JsonRows.SECOND);
        if (!t.labels().kind().isEmpty()) {
            rows.flag("stream", t.labels().kind().equals("s"));
        }
        rows.textIfAny("model", t.labels().model())
                .whole("in", t.prompt().tokens())
                .whole("out", t.outputTokens());
        runs(ids.full(t));
        rows.textIfAny("stop", t.labels().stop())
                .timeIfKnown("ttft", t.recorded().ttftNanos(), JsonRows.SECOND)
                .timeIfKnown("api_time", t.recorded().durationNanos(), JsonRows.SECOND)
                .timeIfKnown("think_time", t.gapNanos(), JsonRows.SECOND)
                .endLine();
    }

    private void runs(long[] blocks) {
        rows.beginList("blocks");
        int from = 0;
        for (int i = 1; i <= blocks.length; i++) {
            if (i == blocks.length || blocks[i] != blocks[i - 1] + 1) {
                rows.beginList().whole(blocks[from]).whole(i - from).endList();
                from = i;
            }
        }
        rows.endList();
    }

    @Override
    public List<String> notes() {
        return ids.notes(source);
    }
}
