package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Qwen-Bailian traces (KVCache in the wild): {@code chat_id}, {@code parent_chat_id} (-1 for the first of a chain, which is a
 * session), {@code timestamp} in seconds, {@code input_length}, {@code output_length}, {@code type}, {@code turn}, {@code
 * hash_ids} of 16-token blocks, the last one partial; ids are global and chained. A turn need not extend the one before it:
 * thoughts are taken out of the history and the last block changes. When turns ended is nowhere said, so a replay is an open
 * loop. A parent before the start of the trace makes its child the first of a chain.
 */
final class BailianReader extends JsonLinesReader {
    private static final int NO_PARENT = -1;

    private final int blockSize;
    private final Map<Long, Long> roots = new HashMap<>();
    private final Prompt.Builder prompt = Prompt.builder();
    private long[] ids = new long[64];
    private long orphans;

    BailianReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.BAILIAN);
        this.blockSize = file.blockSize().orElse(BlockSizes.BAILIAN);
    }

    @Override
    Turn turn(JsonRow row, int index) {
        long chat = -1;
        long parent = -2;
        long arrival = -1;
        int input = -1;
        int output = -1;
        int turn = -1;
        String type = "";
        int blocks = -1;
        while (row.nextField()) {
            switch (row.field()) {
                case "chat_id" -> chat = row.whole(0, Long.MAX_VALUE);
                case "parent_chat_id" -> parent = row.whole(NO_PARENT, Long.MAX_VALUE);
                case "timestamp" -> arrival = row.nanos(JsonRows.SECOND);
                case "input_length" -> input = (int) row.whole(1, Histories.maxTokens());
                case "output_length" -> output = (int) row.whole(0, Histories.maxTokens());
                case "type" -> type = row.isNull() ? "" : row.text();
                case "turn" -> turn = row.whole(1);
                case "hash_ids" -> blocks = ids(row);
                default -> row.skip();
            }
        }
        row.require("chat_id", chat >= 0);
        row.require("parent_chat_id", parent >= NO_PARENT);
        row.require("timestamp", arrival >= 0);
        row.require("input_length", input >= 0);
        row.require("output_length", output >= 0);
        row.require("turn", turn >= 1);
        row.require("hash_ids", blocks >= 0);
        BlockSizes.requireIds("hash_ids", blocks, "input_length", input, blockSize);
        prompt.clear();
        for (int i = 0; i < blocks; i++) {
            prompt.span(BlockSizes.start("hash_ids", ids[i], blockSize), Math.min(blockSize, input - i * blockSize));
        }
        if (roots.containsKey(chat)) {
            throw new RowException("chat_id", "expected ids that appear once, found " + chat + " again");
        }
        Long root = roots.get(parent);
        orphans += root == null && parent != NO_PARENT ? 1 : 0;
        roots.put(chat, root == null ? chat : root);
        return new Turn(
                index,
                arrival,
                Long.toString(roots.get(chat)),
                "",
                turn,
                Turn.UNKNOWN,
                prompt.build(),
                Math.max(1, output),
                Turn.freshOutput(index),
                Turn.Recorded.NOTHING,
                new Turn.Labels(
                        Long.toString(chat), parent == NO_PARENT ? "" : Long.toString(parent), "", "", type, ""));
    }

    private int ids(JsonRow row) {
        int n = 0;
        row.array();
        while (row.nextElement()) {
            if (n == ids.length) {
                ids = Arrays.copyOf(ids, 2 * n);
            }
            ids[n++] = row.whole(0, Long.MAX_VALUE);
        }
        return n;
    }

    @Override
    int blockSize() {
        return blockSize;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.BLOCKS;
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (orphans > 0) {
            notes.add(orphans + " requests continue one that is not in the trace; each begins a session");
        }
        return notes;
    }
}
