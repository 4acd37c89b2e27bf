package dev.warmroute.recorder.format;

import dev.warmroute.recorder.format.ClaudeCodeTurns.Request;
import dev.warmroute.recorder.trace.Turn;
import java.nio.file.Files;
import java.util.Arrays;

/**
 * Requests of Claude Code sessions (callanjfox/kv-cache-tester), one a line, with runs of block ids: {@code session,
 * agent, t} (seconds from the session's start), {@code in}, {@code out} (tokens), {@code blocks} = runs
 * {@code [first id, count]} of 64-token blocks, {@code api_time}, {@code think_time} and {@code ttft} (seconds) where known.
 * See {@link ClaudeCodeTurns}.
 */
final class ClaudeCodeReader extends JsonLinesReader {
    /** Tokens in a block; part of the format. */
    static final int BLOCK_SIZE = 64;

    private static final long MAX_ID = ClaudeCodeTurns.SESSION_SPACE / BLOCK_SIZE - 1;

    private final ClaudeCodeTurns turns = new ClaudeCodeTurns();

    private ClaudeCodeReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.CLAUDE_CODE);
    }

    /** Opens any of the three kinds of file, told apart by the first line; a directory has the original ones. */
    static TraceReader open(TraceFile file, OnError onError) {
        if (Files.isDirectory(file.path())) {
            return new KvCacheTesterReader(file, onError, TraceFormat.CLAUDE_CODE);
        }
        String first = firstLine(file);
        if (first.contains("\"hash_ids\"") && first.contains("\"input_length\"")) {
            return new MooncakeReader(file, onError, TraceFormat.CLAUDE_CODE, MooncakeReader.BLOCK_SIZE);
        }
        boolean original = first.strip().equals("{") || first.strip().equals("[") || first.contains("\"requests\"");
        return original
                ? new KvCacheTesterReader(file, onError, TraceFormat.CLAUDE_CODE)
                : new ClaudeCodeReader(file, onError);
    }

    private static String firstLine(TraceFile file) {
        try (TraceLines lines = new TraceLines(file)) {
            while (lines.next()) {
                if (!lines.isBlank()) {
                    return lines.text();
                }
            }
            return "";
        }
    }

    @Override
    Turn turn(JsonRow row, int index) {
        String session = "";
        String agent = "";
        long start = -1;
        int input = -1;
        int output = -1;
        int[] runs = null;
        long api = Turn.UNKNOWN;
        long think = Turn.UNKNOWN;
        long ttft = Turn.UNKNOWN;
        String model = "";
        String kind = "";
        String stop = "";
        while (row.nextField()) {
            switch (row.field()) {
                case "session" -> session = row.text();
                case "agent" -> agent = row.isNull() ? "" : row.text();
                case "t" -> start = row.nanos(JsonRows.SECOND);
                case "in" -> input = (int) row.whole(1, Histories.maxTokens());
                case "out" -> output = (int) row.whole(0, Histories.maxTokens());
                case "blocks" -> runs = runs(row);
                case "api_time" -> api = row.isNull() ? Turn.UNKNOWN : row.nanos(JsonRows.SECOND);
                case "think_time" -> think = row.isNull() ? Turn.UNKNOWN : row.nanos(JsonRows.SECOND);
                case "ttft" -> ttft = row.isNull() ? Turn.UNKNOWN : row.nanos(JsonRows.SECOND);
                case "model" -> model = row.textOrEmpty();
                case "stream" -> kind = row.bool() ? "s" : "n";
                case "stop" -> stop = row.textOrEmpty();
                default -> row.skip();
            }
        }
        row.require("session", !session.isEmpty());
        row.require("t", start >= 0);
        row.require("in", input >= 0);
        row.require("out", output >= 0);
        row.require("blocks", runs != null);
        Turn.Labels labels = new Turn.Labels("", "", "", model, kind, stop);
        Request request = new Request(session, agent, start, input, output, runs, api, think, ttft, labels);
        return turns.turn(request, "blocks", BLOCK_SIZE, true, index);
    }

    @Override
    int blockSize() {
        return BLOCK_SIZE;
    }

    @Override
    boolean commonClock() {
        return false;
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.SESSION_BLOCKS;
    }

    /** Runs as pairs: first id, count. */
    private static int[] runs(JsonRow row) {
        int[] runs = new int[8];
        int n = 0;
        row.array();
        while (row.nextElement()) {
            if (n == runs.length) {
                runs = Arrays.copyOf(runs, 2 * n);
            }
            row.array();
            row.element("runs of [first id, count]");
            runs[n++] = (int) row.whole(0, MAX_ID);
            row.element("runs of [first id, count]");
            runs[n++] = (int) row.whole(1, MAX_ID + 1 - runs[n - 2]);
            row.end("runs of [first id, count]");
        }
        return Arrays.copyOf(runs, n);
    }
}
