package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;

/** A request log with times in seconds from the start; blank where something is not known. */
final class RequestLogWriter implements TurnWriter {
    private final CsvRows rows;

    RequestLogWriter(Writer text, TraceDescription source) {
        rows = new CsvRows(
                text,
                "time",
                "session",
                "agent",
                "model",
                "replica",
                "prompt_tokens",
                "cached_tokens",
                "completion_tokens",
                "ttft_s",
                "duration_s");
    }

    @Override
    public void write(Turn t) {
        rows.row(
                CsvRows.time(t.arrivalNanos(), JsonRows.SECOND),
                t.session(),
                t.agent(),
                t.labels().model(),
                t.recorded().replica() < 0 ? "" : "r" + t.recorded().replica(),
                t.prompt().tokens(),
                t.recorded().cachedTokens() < 0 ? "" : t.recorded().cachedTokens(),
                t.outputTokens(),
                CsvRows.time(t.recorded().ttftNanos(), JsonRows.SECOND),
                CsvRows.time(t.recorded().durationNanos(), JsonRows.SECOND));
    }
}
