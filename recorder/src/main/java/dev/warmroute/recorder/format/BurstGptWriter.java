package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;

/** BurstGPT, with the columns of its second release. */
final class BurstGptWriter implements TurnWriter {
    private final CsvRows rows;

    BurstGptWriter(Writer text, TraceDescription source) {
        rows = new CsvRows(
                text,
                "Timestamp",
                "Session ID",
                "Elapsed time",
                "Model",
                "Request tokens",
                "Response tokens",
                "Total tokens",
                "Log Type");
    }

    @Override
    public void write(Turn t) {
        String kind = t.hasSession() ? "Conversation log" : "API log";
        rows.row(
                CsvRows.time(t.arrivalNanos(), JsonRows.SECOND),
                t.affinityKey(),
                CsvRows.time(t.recorded().durationNanos(), JsonRows.SECOND),
                t.labels().model(),
                t.prompt().tokens(),
                t.outputTokens(),
                (long) t.prompt().tokens() + t.outputTokens(),
                t.labels().kind().isEmpty() ? kind : t.labels().kind());
    }
}
