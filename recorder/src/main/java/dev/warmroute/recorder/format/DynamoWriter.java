package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.List;

/**
 * Dynamo's request traces; the trace's start becomes 1970, times are rounded to its milliseconds. A request of unknown duration
 * has neither {@code total_time_ms} nor the time of its end.
 */
final class DynamoWriter implements TurnWriter {
    private final JsonRows rows;
    private final TraceDescription source;
    private final int blockSize;
    private final BlockIds ids;

    DynamoWriter(Writer text, TraceDescription source, int blockSize) {
        this.rows = new JsonRows(text);
        this.source = source;
        this.blockSize = source.prefixes().haveIds() && source.blockSize() > 0 ? source.blockSize() : blockSize;
        this.ids = BlockIds.global(source, this.blockSize);
    }

    @Override
    public void write(Turn t) {
        long received = Math.round((double) t.arrivalNanos() / JsonRows.MILLI);
        long duration = t.recorded().durationNanos();
        long ended = received + Math.round((double) Math.max(0, duration) / JsonRows.MILLI);
        rows.begin()
                .whole("timestamp", ended)
                .begin("event")
                .text("schema", "dynamo.request.trace.v1")
                .text("event_type", "request_end");
        if (duration >= 0) {
            rows.whole("event_time_unix_ms", ended);
        }
        if (t.hasSession()) {
            rows.begin("agent_context").text("session_id", t.session());
            if (t.agent().isEmpty()) {
                rows.text("trajectory_id", t.session());
            } else {
                String parent = t.labels().parentAgent();
                rows.text("trajectory_id", t.agent())
                        .text("parent_trajectory_id", parent.isEmpty() ? t.session() : parent);
            }
            rows.end();
        }
        rows.begin("request")
                .text("request_id", "request-" + t.index())
                .textIfAny("model", t.labels().model());
        rows.whole("input_tokens", t.prompt().tokens())
                .whole("output_tokens", t.outputTokens())
                .whole("request_received_ms", received);
        if (t.recorded().cachedTokens() >= 0) {
            rows.whole("cached_tokens", t.recorded().cachedTokens());
        }
        rows.timeIfKnown("ttft_ms", t.recorded().ttftNanos(), JsonRows.MILLI)
                .timeIfKnown("total_time_ms", duration, JsonRows.MILLI)
                .begin("replay")
                .whole("trace_block_size", blockSize)
                .whole("input_length", t.prompt().tokens())
                .wholes("input_sequence_hashes", endsWithBlock(t.prompt()) ? ids.all(t.prompt()) : ids.full(t.prompt()))
                .end()
                .end()
                .end()
                .endLine();
    }

    /** Whether the source has an id for the last block too, which may be partial. */
    private boolean endsWithBlock(Prompt prompt) {
        return source.prefixes() == Prefixes.BLOCKS && BlockSizes.isOfBlock(prompt.start(prompt.spans() - 1));
    }

    @Override
    public List<String> notes() {
        return BlockSizes.rounding(source, blockSize);
    }
}
