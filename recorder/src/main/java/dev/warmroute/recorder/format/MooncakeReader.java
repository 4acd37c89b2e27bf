package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.Map;

/**
 * Mooncake rows (kvcache-ai/Mooncake, FAST'25 release): {@code timestamp} in milliseconds, {@code input_length} and
 * {@code output_length} in tokens, {@code hash_ids} of 512-token blocks, the last one partial, so that there are
 * ceil(input_length / 512) of them. Ids are global and chained: an id stands for its block and everything before it.
 * Timestamps come in batches; ties keep the order of the file.
 *
 * <p>Block {@code h} is the tokens {@code [512 h, 512 h + 512)} of the linear token space. Rows may carry
 * {@code session_id}, {@code turn} and {@code delay} (milliseconds between the end of the session's last turn and this
 * one), as AIPerf and the derived Claude Code files do. What a request generates is nowhere in the trace, so no later
 * prompt shares it.
 */
final class MooncakeReader extends JsonLinesReader {
    /** Tokens in a block; part of the format. */
    static final int BLOCK_SIZE = 512;

    private final Map<String, Integer> turns = new HashMap<>();
    private final String format;
    private final MooncakeRow row = new MooncakeRow();
    private final Prompt.Builder prompt = Prompt.builder();
    private boolean sessions;
    private boolean gaps;

    MooncakeReader(TraceFile file, OnError onError) {
        this(file, onError, TraceFormat.MOONCAKE.formatName());
    }

    MooncakeReader(TraceFile file, OnError onError, String format) {
        super(file, onError);
        this.format = format;
    }

    @Override
    Turn turn(TraceLines line, int index) {
        return row.readPlain(line.bytes(), line.from(), line.to()) ? turn(index) : super.turn(line, index);
    }

    @Override
    Turn turn(JsonRow json, int index) {
        row.read(json);
        return turn(index);
    }

    private Turn turn(int index) {
        String session = row.session();
        int turn = row.turn();
        long gap = row.gapNanos();
        Prompt prompt = prompt();
        if (session.isEmpty()) {
            turn = 0;
            gap = Turn.UNKNOWN;
        } else {
            turn = turn > 0 ? turn : turns.getOrDefault(session, 0) + 1;
            turns.put(session, turn);
            sessions = true;
            gaps |= gap >= 0;
        }
        return new Turn(
                index,
                row.arrivalNanos(),
                session,
                "",
                turn,
                gap,
                prompt,
                Math.max(1, row.outputTokens()),
                Turn.freshOutput(index),
                Turn.Recorded.NOTHING);
    }

    @Override
    TraceDescription description(TraceDescriptionBase base) {
        return new TraceDescription(
                base.name(), format, BLOCK_SIZE, sessions, gaps, true, true, base.rows(), base.skipped(), base.sha256());
    }

    private Prompt prompt() {
        int tokens = row.inputTokens();
        int blocks = Math.ceilDiv(tokens, BLOCK_SIZE);
        if (row.blocks() != blocks) {
            throw new RowException(
                    "hash_ids",
                    "expected " + blocks + " ids for input_length " + tokens + " in blocks of " + BLOCK_SIZE + ", found " + row.blocks());
        }
        prompt.clear();
        for (int i = 0; i < blocks; i++) {
            prompt.span(row.block(i) * BLOCK_SIZE, Math.min(BLOCK_SIZE, tokens - i * BLOCK_SIZE));
        }
        return prompt.build();
    }
}
