package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes requests of what the two files of Claude Code sessions say about them. Only full blocks have ids, so there are
 * floor(in / block) of them and the rest of the prompt is tokens that nobody else has. Ids local to a session are shared by its
 * sub-agents: session number {@code s}, in order of appearance, has the token space from {@code s << 32}. Turns are counted
 * within session and agent. The gap before a turn is the think time, else what is left of the time since the previous turn's
 * start after its API time, else (no API time) that whole time. Answers are hashed only as part of the next prompt, so no
 * prompt refers to them.
 */
final class ClaudeCodeTurns {
    static final long SESSION_SPACE = 1L << 32;
    private static final int MAX_SESSIONS = 1 << 28;
    /** Start of the tokens behind a prompt's last full block, which no other prompt shares. */
    private static final long TAIL_SPACE = 1L << 60;

    private final Map<String, Integer> sessions = new HashMap<>();
    private final Map<String, Conversation> conversations = new HashMap<>();

    /** The last turn of a session's agent. */
    private record Conversation(int turn, long startNanos, long apiNanos) {}

    /**
     * A request as it stands in the file; times in nanoseconds or {@link Turn#UNKNOWN}.
     *
     * @param runs pairs of first id and count
     */
    record Request(
            String session,
            String agent,
            long start,
            int input,
            int output,
            int[] runs,
            long api,
            long think,
            long ttft,
            Turn.Labels labels) {}

    /**
     * Makes a request of it.
     *
     * @param field that holds the ids
     * @param local whether ids are local to the session
     */
    Turn turn(Request r, String field, int blockSize, boolean local, int index) {
        Prompt prompt = prompt(r, field, blockSize, local ? base(r.session) : 0, index);
        String conversation = r.session + '\n' + r.agent;
        Conversation before = conversations.get(conversation);
        int turn = before == null ? 1 : before.turn + 1;
        long gap = before == null ? Turn.UNKNOWN : gap(before, r.start, r.think);
        conversations.put(conversation, new Conversation(turn, r.start, r.api));
        return new Turn(
                index,
                r.start,
                r.session,
                r.agent,
                turn,
                gap,
                prompt,
                Math.max(1, r.output),
                Turn.freshOutput(index),
                new Turn.Recorded(-1, Turn.UNKNOWN, r.ttft, r.api),
                r.labels);
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

    private static Prompt prompt(Request r, String field, int blockSize, long base, int index) {
        Prompt.Builder prompt = Prompt.builder();
        long blocks = 0;
        for (int i = 0; i < r.runs.length; i += 2) {
            blocks += r.runs[i + 1];
        }
        int full = r.input / blockSize;
        if (blocks != full) {
            throw new RowException(
                    field,
                    "expected " + full + " full blocks for in " + r.input + " in blocks of " + blockSize + ", found "
                            + blocks);
        }
        for (int i = 0; i < r.runs.length; i += 2) {
            prompt.span(base + (long) r.runs[i] * blockSize, r.runs[i + 1] * blockSize);
        }
        return prompt.span(TAIL_SPACE + (long) index * blockSize, r.input % blockSize)
                .build();
    }
}
