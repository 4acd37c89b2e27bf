package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Qwen-Bailian rows: a session is a chain of chats. Ids of chats are the source's where it has whole numbers for them; else
 * requests are counted.
 */
final class BailianWriter implements TurnWriter {
    private final JsonRows rows;
    private final TraceDescription source;
    private final int blockSize;
    private final BlockIds ids;
    private final Map<String, Long> lastOfSession = new HashMap<>();

    BailianWriter(Writer text, TraceDescription source, int blockSize) {
        this.rows = new JsonRows(text);
        this.source = source;
        this.blockSize = blockSize;
        this.ids = BlockIds.global(source, blockSize);
    }

    @Override
    public void write(Turn t) {
        boolean own = source.format().equals(TraceFormat.BAILIAN.formatName());
        long chat = own ? Long.parseLong(t.labels().request()) : t.index();
        Long before = t.hasSession() ? lastOfSession.put(t.affinityKey(), chat) : null;
        long parent = before == null ? -1 : before;
        if (own) {
            parent = t.labels().parent().isEmpty()
                    ? -1
                    : Long.parseLong(t.labels().parent());
        }
        rows.begin()
                .whole("chat_id", chat)
                .whole("parent_chat_id", parent)
                .time("timestamp", t.arrivalNanos(), JsonRows.SECOND)
                .whole("input_length", t.prompt().tokens())
                .whole("output_length", t.outputTokens())
                .text("type", t.labels().kind().isEmpty() ? "text" : t.labels().kind())
                .whole("turn", Math.max(1, t.turn()))
                .wholes("hash_ids", ids.all(t.prompt()))
                .endLine();
    }

    @Override
    public List<String> notes() {
        return BlockSizes.rounding(source, blockSize);
    }
}
