package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Requests of Claude Code sessions (callanjfox/kv-cache-tester), one a line, with runs of block ids: {@code session,
 * agent, t} (seconds from the session's start), {@code in}, {@code out} (tokens), {@code blocks} = runs
 * {@code [first id, count]} of 64-token blocks, {@code api_time} and {@code think_time} (seconds) where known.
 *
 * <p>Only full blocks have ids, so there are floor(in / 64) of them and the rest of the prompt is tokens that nobody else
 * has. Ids are local to a session and shared by its sub-agents: session number {@code s}, in order of appearance, has the
 * token space from {@code s << 32}. Turns are counted within session and agent. The gap before a turn is
 * {@code think_time}, else what is left of the time since the previous turn's start after its {@code api_time}, else (no
 * {@code api_time}) that whole time. Answers are hashed only as part of the next prompt, so no prompt refers to them.
 */
final class ClaudeCodeReader extends JsonLinesReader {
    /** Tokens in a block; part of the format. */
    static final int BLOCK_SIZE = 64;

    private static final long SECOND = 1_000_000_000;
    private static final long SESSION_SPACE = 1L << 32;
    private static final int MAX_SESSIONS = 1 << 28;
    /** Start of the tokens behind a prompt's last full block, which no other prompt shares. */
    private static final long TAIL_SPACE = 1L << 60;

    private final Map<String, Integer> sessions = new HashMap<>();
    private final Map<String, Conversation> conversations = new HashMap<>();

    /** The last turn of a session's agent. */
    private record Conversation(int turn, long startNanos, long apiNanos) {}

    private ClaudeCodeReader(TraceFile file, OnError onError) {
        super(file, onError);
    }

    /** Opens either of the two kinds of file, told apart by the fields of the first line. */
    static TraceReader open(TraceFile file, OnError onError) {
        return derived(file)
                ? new MooncakeReader(file, onError, TraceFormat.CLAUDE_CODE.formatName())
                : new ClaudeCodeReader(file, onError);
    }

    private static boolean derived(TraceFile file) {
        try (TraceLines lines = new TraceLines(file)) {
            while (lines.next()) {
                if (!lines.isBlank()) {
                    String first = lines.text();
                    return first.contains("\"hash_ids\"") && first.contains("\"input_length\"");
                }
            }
            return false;
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
        while (row.nextField()) {
            switch (row.field()) {
                case "session" -> session = row.text();
                case "agent" -> agent = row.isNull() ? "" : row.text();
                case "t" -> start = row.nanos(SECOND);
                case "in" -> input = row.whole(1);
                case "out" -> output = row.whole(0);
                case "blocks" -> runs = runs(row);
                case "api_time" -> api = row.isNull() ? Turn.UNKNOWN : row.nanos(SECOND);
                case "think_time" -> think = row.isNull() ? Turn.UNKNOWN : row.nanos(SECOND);
                case "ttft" -> ttft = row.isNull() ? Turn.UNKNOWN : row.nanos(SECOND);
                default -> row.skip();
            }
        }
        row.require("session", !session.isEmpty());
        row.require("t", start >= 0);
        row.require("in", input >= 0);
        row.require("out", output >= 0);
        row.require("blocks", runs != null);
        Prompt prompt = prompt(runs, input, base(session), index);
        String conversation = session + '\n' + agent;
        Conversation before = conversations.get(conversation);
        int turn = before == null ? 1 : before.turn + 1;
        long gap = before == null ? Turn.UNKNOWN : gap(before, start, think);
        conversations.put(conversation, new Conversation(turn, start, api));
        return new Turn(
                index,
                start,
                session,
                agent,
                turn,
                gap,
                prompt,
                Math.max(1, output),
                Turn.freshOutput(index),
                new Turn.Recorded(-1, Turn.UNKNOWN, ttft, api));
    }

    @Override
    TraceDescription description(TraceDescriptionBase base) {
        return new TraceDescription(
                base.name(),
                TraceFormat.CLAUDE_CODE.formatName(),
                BLOCK_SIZE,
                true,
                true,
                true,
                false,
                base.rows(),
                base.skipped(),
                base.sha256());
    }

    private static long gap(Conversation before, long start, long think) {
        if (think >= 0) {
            return think;
        }
        return Math.max(0, start - before.startNanos - Math.max(0, before.apiNanos));
    }

    private long base(String session) {
        Integer ordinal = sessions.get(session);
        if (ordinal == null) {
            ordinal = sessions.size();
            if (ordinal == MAX_SESSIONS) {
                throw new RowException("session", "expected at most " + MAX_SESSIONS + " sessions");
            }
            sessions.put(session, ordinal);
        }
        return ordinal * SESSION_SPACE;
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
            runs[n++] = (int) row.whole(0, SESSION_SPACE / BLOCK_SIZE - 1);
            row.element("runs of [first id, count]");
            runs[n++] = (int) row.whole(1, SESSION_SPACE / BLOCK_SIZE - runs[n - 2]);
            row.end("runs of [first id, count]");
        }
        return Arrays.copyOf(runs, n);
    }

    private static Prompt prompt(int[] runs, int tokens, long base, int index) {
        Prompt.Builder prompt = Prompt.builder();
        long blocks = 0;
        for (int i = 0; i < runs.length; i += 2) {
            blocks += runs[i + 1];
        }
        int full = tokens / BLOCK_SIZE;
        if (blocks != full) {
            throw new RowException(
                    "blocks",
                    "expected " + full + " full blocks for in " + tokens + " in blocks of " + BLOCK_SIZE + ", found " + blocks);
        }
        for (int i = 0; i < runs.length; i += 2) {
            prompt.span(base + (long) runs[i] * BLOCK_SIZE, runs[i + 1] * BLOCK_SIZE);
        }
        return prompt.span(TAIL_SPACE + (long) index * BLOCK_SIZE, tokens % BLOCK_SIZE).build();
    }
}
