package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.List;

/** Mooncake rows, with {@code session_id}, {@code turn} and {@code delay} where requests have them and the reader takes them. */
final class MooncakeWriter implements TurnWriter {
    private final JsonRows rows;
    private final TraceDescription source;
    private final int blockSize;
    private final boolean sessions;
    private final BlockIds ids;

    MooncakeWriter(Writer text, TraceDescription source, int blockSize) {
        this(text, source, blockSize, true);
    }

    private MooncakeWriter(Writer text, TraceDescription source, int blockSize, boolean sessions) {
        this.sessions = sessions;
        this.rows = new JsonRows(text);
        this.source = source;
        this.blockSize = blockSize;
        this.ids = BlockIds.global(source, blockSize);
    }

    /** Rows for {@code timed_trace} of vLLM, which knows no sessions. */
    static MooncakeWriter timed(Writer text, TraceDescription source, int blockSize) {
        return new MooncakeWriter(text, source, blockSize, false);
    }

    @Override
    public void write(Turn t) {
        rows.begin()
                .time("timestamp", t.arrivalNanos(), JsonRows.MILLI)
                .whole("input_length", t.prompt().tokens())
                .whole("output_length", t.outputTokens())
                .wholes("hash_ids", ids.all(t.prompt()));
        if (sessions && t.hasSession()) {
            rows.text("session_id", t.affinityKey())
                    .whole("turn", t.turn())
                    .timeIfKnown("delay", t.gapNanos(), JsonRows.MILLI);
        }
        rows.endLine();
    }

    @Override
    public List<String> notes() {
        return BlockSizes.rounding(source, blockSize);
    }
}
