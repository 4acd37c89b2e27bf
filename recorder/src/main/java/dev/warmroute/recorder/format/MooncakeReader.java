package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
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

    private static final long MILLI = 1_000_000;
    private static final long MAX_ID = (1L << 60) / BLOCK_SIZE - 1;

    private final Map<String, Integer> turns = new HashMap<>();
    private final String format;
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
    Turn turn(JsonRow row, int index) {
        long arrival = -1;
        int input = -1;
        int output = -1;
        long[] ids = null;
        String session = "";
        int turn = 0;
        long gap = Turn.UNKNOWN;
        while (row.nextField()) {
            switch (row.field()) {
                case "timestamp" -> arrival = row.nanos(MILLI);
                case "input_length" -> input = row.whole(1);
                case "output_length" -> output = row.whole(0);
                case "hash_ids" -> ids = ids(row);
                case "session_id" -> session = row.isNull() ? "" : row.text();
                case "turn" -> turn = row.whole(1);
                case "delay" -> gap = row.isNull() ? Turn.UNKNOWN : row.nanos(MILLI);
                default -> row.skip();
            }
        }
        row.require("timestamp", arrival >= 0);
        row.require("input_length", input >= 0);
        row.require("output_length", output >= 0);
        row.require("hash_ids", ids != null);
        Prompt prompt = prompt(ids, input);
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
                arrival,
                session,
                "",
                turn,
                gap,
                prompt,
                Math.max(1, output),
                Turn.freshOutput(index),
                Turn.Recorded.NOTHING);
    }

    @Override
    TraceDescription description(TraceDescriptionBase base) {
        return new TraceDescription(
                base.name(), format, BLOCK_SIZE, sessions, gaps, true, true, base.rows(), base.skipped(), base.sha256());
    }

    private static long[] ids(JsonRow row) {
        long[] ids = new long[64];
        int n = 0;
        row.array();
        while (row.nextElement()) {
            if (n == ids.length) {
                ids = Arrays.copyOf(ids, 2 * n);
            }
            ids[n++] = row.whole(0, MAX_ID);
        }
        return Arrays.copyOf(ids, n);
    }

    private static Prompt prompt(long[] ids, int tokens) {
        int blocks = Math.ceilDiv(tokens, BLOCK_SIZE);
        if (ids.length != blocks) {
            throw new RowException(
                    "hash_ids",
                    "expected " + blocks + " ids for input_length " + tokens + " in blocks of " + BLOCK_SIZE + ", found " + ids.length);
        }
        Prompt.Builder prompt = Prompt.builder();
        for (int i = 0; i < blocks; i++) {
            prompt.span(ids[i] * BLOCK_SIZE, Math.min(BLOCK_SIZE, tokens - i * BLOCK_SIZE));
        }
        return prompt.build();
    }
}
