package dev.warmroute.recorder.format;

import dev.warmroute.router.UserError;
import java.util.Arrays;
import java.util.List;

/** Registry of the trace formats that can be read: one constant each, in the order in which they are shown. */
public enum TraceFormat {
    MOONCAKE(
            "mooncake",
            MooncakeReader::new,
            "JSONL: timestamp (ms), input_length, output_length, hash_ids of 512-token blocks; session_id, turn, delay if known"),
    CLAUDE_CODE(
            "claude-code",
            ClaudeCodeReader::open,
            "JSONL: requests of Claude Code sessions with runs of 64-token blocks, or Mooncake rows made from them"),
    FLEET(
            "fleet",
            FleetReader::new,
            "JSONL: decisions, completions and counters of a recorded vLLM fleet");

    /** Opens a file of this format. */
    @FunctionalInterface
    interface Opener {
        TraceReader open(TraceFile file, OnError onError);
    }

    private final String formatName;
    private final Opener opener;
    private final String summary;

    TraceFormat(String formatName, Opener opener, String summary) {
        this.formatName = formatName;
        this.opener = opener;
        this.summary = summary;
    }

    /** What stands before the colon of a trace argument. */
    public String formatName() {
        return formatName;
    }

    /** One line for help texts. */
    public String summary() {
        return summary;
    }

    public static List<String> names() {
        return Arrays.stream(values()).map(TraceFormat::formatName).toList();
    }

    /**
     * Returns the format with this name.
     *
     * @throws UserError if there is none; the message lists those there are
     */
    public static TraceFormat named(String name) {
        for (TraceFormat f : values()) {
            if (f.formatName.equals(name)) {
                return f;
            }
        }
        throw new UserError("there is no trace format '" + name + "'; there are " + String.join(", ", names()));
    }

    /**
     * Opens a file; gzip and zstd are recognised by content.
     *
     * @throws UserError if the file cannot be read
     */
    public TraceReader open(TraceFile file, OnError onError) {
        return opener.open(file, onError);
    }
}
