package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.List;

/** AIPerf's {@code mooncake_trace}: whole prompts with ids of their blocks, and times where the trace has some. */
final class AiperfMooncakeWriter implements TurnWriter {
    private final JsonRows rows;
    private final TraceDescription source;
    private final int blockSize;
    private final BlockIds ids;

    AiperfMooncakeWriter(Writer text, TraceDescription source, int blockSize) {
        this.rows = new JsonRows(text);
        this.source = source;
        this.blockSize = blockSize;
        this.ids = BlockIds.global(source, blockSize);
    }

    @Override
    public void write(Turn t) {
        rows.begin();
        if (source.hasTimes()) {
            rows.time("timestamp", t.arrivalNanos(), JsonRows.MILLI);
        }
        rows.timeIfKnown("delay", t.gapNanos(), JsonRows.MILLI)
                .whole("input_length", t.prompt().tokens())
                .whole("output_length", t.outputTokens())
                .wholes("hash_ids", ids.all(t.prompt()))
                .textIfAny("session_id", t.affinityKey())
                .endLine();
    }

    @Override
    public List<String> notes() {
        return BlockSizes.rounding(source, blockSize);
    }
}
