package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.io.Writer;

/** Azure LLM inference traces; the trace's start becomes 1970-01-01 00:00:00. */
final class AzureWriter implements TurnWriter {
    private final CsvRows rows;

    AzureWriter(Writer text, TraceDescription source) {
        rows = new CsvRows(text, "TIMESTAMP", "ContextTokens", "GeneratedTokens");
    }

    @Override
    public void write(Turn t) {
        rows.row(WallClock.azure(t.arrivalNanos()), t.prompt().tokens(), t.outputTokens());
    }
}
