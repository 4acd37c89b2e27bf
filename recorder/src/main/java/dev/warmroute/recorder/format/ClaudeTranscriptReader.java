package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Transcripts of Claude Code ({@code ~/.claude/projects/.../SESSION.jsonl}, sub-agents in {@code agent-ID.jsonl} or marked
 * {@code isSidechain}). One answer is split into several {@code assistant} records with the same {@code message.id} and its
 * usage repeated: they are one request. It was sent when the last {@code user} record before it was written and ended with its
 * last record; requests stand in the order in which that is known. {@code usage.input_tokens} does not count what was read
 * from or written to the cache: the prompt is the sum.
 */
final class ClaudeTranscriptReader extends TranscriptReader {
    private final Ordinals sessions = new Ordinals("s");
    private final Ordinals agents = new Ordinals("a");
    private final Map<String, Side> sides = new LinkedHashMap<>();

    /** The main agent or a sub-agent, whose records may stand between each other's. */
    private static final class Side {
        private Optional<Open> open = Optional.empty();
        private long lastInput = Turn.UNKNOWN;
    }

    /** An answer whose records are coming in. */
    private record Open(
            String id,
            String session,
            String agent,
            long sent,
            long ended,
            int prompt,
            int cached,
            int output,
            String model,
            String stop) {
        Open later(long at, int more, String why) {
            return new Open(
                    id,
                    session,
                    agent,
                    sent,
                    Math.max(ended, at),
                    prompt,
                    cached,
                    Math.max(output, more),
                    model,
                    why.isEmpty() ? stop : why);
        }
    }

    ClaudeTranscriptReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.CLAUDE_TRANSCRIPT);
    }

    @Override
    void fileBegins() {
        sides.clear();
    }

    @Override
    void fileEnds() {
        sides.values().forEach(this::complete);
    }

    @Override
    void record(JsonFields record) {
        String type = record.textOr("type", "");
        if (!type.equals("user") && !type.equals("assistant")) {
            return;
        }
        String session = sessions.name(record.textOr("sessionId", "-"));
        String agent = agent(record, session);
        Side side = sides.computeIfAbsent(session + '\n' + agent, k -> new Side());
        if (type.equals("user")) {
            complete(side);
            side.lastInput = at(record);
        } else {
            answer(record, side, session, agent);
        }
    }

    private void answer(JsonFields record, Side side, String session, String agent) {
        JsonFields message = record.object("message");
        if (!message.has("usage") || message.textOr("model", "").equals("<synthetic>")) {
            return; // written by the client itself, when a request failed
        }
        JsonFields usage = message.object("usage");
        String id = message.text("id");
        long at = at(record);
        int output = usage.tokens("output_tokens", 0);
        String stop = message.textOr("stop_reason", "");
        if (side.open.isPresent() && side.open.get().id().equals(id)) {
            side.open = Optional.of(side.open.get().later(at, output, stop));
            return;
        }
        complete(side);
        int cached = (int) usage.wholeOr("cache_read_input_tokens", 0);
        long prompt = usage.whole("input_tokens", 0) + usage.wholeOr("cache_creation_input_tokens", 0) + cached;
        if (prompt < 1 || prompt > Histories.maxTokens()) {
            throw new RowException(
                    "usage", "expected a prompt of 1 to " + Histories.maxTokens() + " tokens, found " + prompt);
        }
        long sent = side.lastInput < 0 ? at : Math.min(at, side.lastInput);
        side.open = Optional.of(new Open(
                id, session, agent, sent, at, (int) prompt, cached, output, message.textOr("model", ""), stop));
    }

    /** Sub-agents have a file of their own, or are marked in that of their session. */
    private String agent(JsonFields record, String session) {
        String id = record.textOr("agentId", "");
        Path name = currentFile().getFileName();
        if (id.isEmpty() && name.toString().startsWith("agent-")) {
            id = name.toString();
        }
        boolean aside = record.flag("isSidechain");
        return id.isEmpty() && !aside ? "" : agents.name(session + '\n' + id);
    }

    private void complete(Side side) {
        if (side.open.isEmpty()) {
            return;
        }
        Open o = side.open.get();
        side.open = Optional.empty();
        emit(turn(
                o.session(), o.agent(), o.sent(), o.ended(), o.prompt(), o.cached(), o.output(), o.model(), o.stop()));
    }
}
