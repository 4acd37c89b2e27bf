package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;

/**
 * Rounds as TraceLab has them; the trace's start becomes 1970. {@code prefix_tokens} is what the engine reported as cached,
 * else what the prompt repeats of its conversation.
 */
final class TraceLabWriter implements TurnWriter {
    private final JsonRows rows;
    private final Histories histories = new Histories();

    TraceLabWriter(Writer text, TraceDescription source) {
        rows = new JsonRows(text);
    }

    @Override
    public void write(Turn t) {
        String session = t.affinityKey();
        int tokens = t.prompt().tokens();
        long measured = t.recorded().cachedTokens();
        long cached = measured >= 0
                ? Math.min(measured, tokens)
                : histories.of(session).commonPrefix(t.prompt());
        histories.add(session, t.prompt(), t.outputStart(), t.outputTokens());
        rows.begin()
                .textIfAny("provider", t.labels().kind())
                .text("session_id", t.hasSession() ? session : "request-" + t.index())
                .whole("round_index", Math.max(0, t.turn() - 1))
                .textIfAny("round_id", t.labels().request())
                .textIfAny("model", t.labels().model())
                .whole("input_tokens_total", tokens)
                .whole("prefix_tokens", cached)
                .whole("newly_append_tokens", tokens - cached)
                .whole("output_tokens", t.outputTokens())
                .beginList("timing_events");
        event("user_message", t.arrivalNanos());
        if (t.recorded().durationNanos() >= 0) {
            event("text", t.arrivalNanos() + t.recorded().durationNanos());
        }
        rows.endList().endLine();
    }

    private void event(String type, long nanos) {
        rows.begin()
                .text("event_type", type)
                .text("timestamp", WallClock.iso(nanos))
                .end();
    }
}
