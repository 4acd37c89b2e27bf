package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Claude Code sessions as kv-cache-tester has them, one object a line. A session is written whole, so all are kept until the
 * end. Requests of a sub-agent that follow each other stand in an entry of it, their times counting from that.
 */
final class KvCacheTesterWriter implements TurnWriter {
    private static final int BLOCK_SIZE = 64;

    private final JsonRows rows;
    private final TraceDescription source;
    private final SessionBlockIds ids;
    private final Map<String, List<Turn>> sessions = new LinkedHashMap<>();

    /** A sub-agent's entry that is being written. */
    private record Open(String agent, long startNanos) {}

    KvCacheTesterWriter(Writer text, TraceDescription source) {
        this.rows = new JsonRows(text);
        this.source = source;
        this.ids = new SessionBlockIds(source, BLOCK_SIZE);
    }

    @Override
    public void write(Turn t) {
        sessions.computeIfAbsent(t.session(), s -> new ArrayList<>()).add(t);
    }

    @Override
    public void finish() {
        sessions.forEach(this::session);
        sessions.clear();
    }

    private void session(String id, List<Turn> turns) {
        rows.begin().text("id", id).beginList("models");
        turns.stream()
                .map(t -> t.labels().model())
                .filter(m -> !m.isEmpty())
                .distinct()
                .sorted()
                .forEach(rows::text);
        rows.endList()
                .whole("block_size", BLOCK_SIZE)
                .text("hash_id_scope", "local")
                .beginList("requests");
        Deque<Open> open = new ArrayDeque<>();
        for (Turn t : turns) {
            String parent = t.labels().parentAgent();
            while (!open.isEmpty()
                    && !open.peek().agent.equals(t.agent())
                    && (t.agent().isEmpty() || !open.peek().agent.equals(parent))) {
                open.pop();
                rows.endList().end();
            }
            long from = open.isEmpty() ? 0 : open.peek().startNanos;
            if (!t.agent().isEmpty() && (open.isEmpty() || !open.peek().agent.equals(t.agent()))) {
                rows.begin()
                        .text("type", "subagent")
                        .time("t", t.arrivalNanos() - from, JsonRows.SECOND)
                        .text("agent_id", t.agent())
                        .nothing("duration_ms")
                        .beginList("requests");
                from = t.arrivalNanos();
                open.push(new Open(t.agent(), from));
            }
            request(t, from);
        }
        open.forEach(o -> rows.endList().end());
        rows.endList().endLine();
    }

    private void request(Turn t, long from) {
        rows.begin()
                .time("t", t.arrivalNanos() - from, JsonRows.SECOND)
                .text("type", t.labels().kind().isEmpty() ? "s" : t.labels().kind())
                .textIfAny("model", t.labels().model())
                .whole("in", t.prompt().tokens())
                .whole("out", t.outputTokens())
                .wholes("hash_ids", ids.full(t))
                .textIfAny("stop", t.labels().stop())
                .timeIfKnown("api_time", t.recorded().durationNanos(), JsonRows.SECOND)
                .timeIfKnown("think_time", t.gapNanos(), JsonRows.SECOND)
                .timeIfKnown("ttft", t.recorded().ttftNanos(), JsonRows.SECOND)
                .end();
    }

    @Override
    public List<String> notes() {
        return ids.notes(source);
    }
}
