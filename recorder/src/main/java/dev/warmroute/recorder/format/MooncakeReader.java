package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.Map;

/**
 * Mooncake rows (kvcache-ai/Mooncake, FAST'25 release): {@code timestamp} in milliseconds, {@code input_length} and
 * {@code output_length} in tokens, {@code hash_ids} of 512-token blocks, the last one partial, so that there are
 * ceil(input_length / 512) of them; other programs write the same rows with blocks of another size. Ids are global and
 * chained: an id stands for its block and everything before it. Timestamps come in batches; ties keep the order of the file.
 *
 * <p>Block {@code h} is the tokens {@code [512 h, 512 h + 512)} of the linear token space. Rows may carry
 * {@code session_id}, {@code turn} and {@code delay} (milliseconds between the end of the session's last turn and this
 * one), as AIPerf and the derived Claude Code files do. What a request generates is nowhere in the trace, so no later
 * prompt shares it.
 */
final class MooncakeReader extends JsonLinesReader {
    /** Tokens in a block of the published traces. */
    static final int BLOCK_SIZE = 512;

    private final Map<String, Integer> turns = new HashMap<>();
    private final int blockSize;
    private final MooncakeRow row = new MooncakeRow();
    private final Prompt.Builder prompt = Prompt.builder();

    MooncakeReader(TraceFile file, OnError onError) {
        this(file, onError, TraceFormat.MOONCAKE, BLOCK_SIZE);
    }

    /** @param usualBlockSize tokens in a block, unless the user says otherwise */
    MooncakeReader(TraceFile file, OnError onError, TraceFormat format, int usualBlockSize) {
        super(file, onError, format);
        this.blockSize = file.blockSize().orElse(usualBlockSize);
    }

    /** Rows as {@code vllm bench serve --dataset-name timed_trace} takes them, with its own block size. */
    static TraceReader timed(TraceFile file, OnError onError) {
        return new MooncakeReader(file, onError, TraceFormat.VLLM_TIMED, BlockSizes.VLLM_TIMED);
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
    int blockSize() {
        return blockSize;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.BLOCKS;
    }

    private Prompt prompt() {
        int tokens = row.inputTokens();
        BlockSizes.requireIds("hash_ids", row.blocks(), "input_length", tokens, blockSize);
        prompt.clear();
        for (int i = 0; i < row.blocks(); i++) {
            prompt.span(
                    BlockSizes.start("hash_ids", row.block(i), blockSize), Math.min(blockSize, tokens - i * blockSize));
        }
        return prompt.build();
    }
}
