package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.List;
import java.util.OptionalLong;

/**
 * Azure LLM inference traces (Azure/AzurePublicDataset, 2023 and 2024): {@code TIMESTAMP} on the wall clock,
 * {@code ContextTokens}, {@code GeneratedTokens}. The 2023 files have seven digits behind the second and no zone, those of
 * 2024 six or none and an offset. {@code NumImages} of the multimodal trace is passed over. Nothing says which requests belong
 * together or begin alike.
 */
final class AzureReader extends CsvReader {
    private static final String TIME = "TIMESTAMP";

    private final Histories histories = new Histories();
    private OptionalLong start = OptionalLong.empty();

    AzureReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.AZURE, TIME, "ContextTokens", "GeneratedTokens");
    }

    @Override
    void row(CsvRow row) {
        long time = WallClock.nanos(TIME, row.text(TIME));
        int tokens = row.tokens("ContextTokens", 1);
        int output = row.tokens("GeneratedTokens", 0);
        if (start.isEmpty()) {
            start = OptionalLong.of(time);
        }
        if (time < start.getAsLong()) {
            throw row.wrong(TIME, "expected a time not before that of the first row; sort the file by " + TIME);
        }
        emit(new Turn(
                index(),
                time - start.getAsLong(),
                "",
                "",
                0,
                Turn.UNKNOWN,
                histories.prompt("", index(), tokens, 0),
                Math.max(1, output),
                Turn.freshOutput(index()),
                Turn.Recorded.NOTHING));
    }

    @Override
    Prefixes prefixes() {
        return Prefixes.NONE;
    }

    @Override
    List<String> notes() {
        return List.of(
                "lengths and arrivals only: hit rates of a replay are 0 because nothing is known of the prompts, not because"
                        + " nothing was shared");
    }
}
