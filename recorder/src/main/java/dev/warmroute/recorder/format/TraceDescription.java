package dev.warmroute.recorder.format;

import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a trace is and carries, so that a figure can name its source and a replay knows what it may rely on.
 *
 * @param name how the user called it, for example {@code mooncake:conversation_trace.jsonl}
 * @param format name of the format; {@code recording} for a trace directory
 * @param blockSize tokens in a block of the source, or 0 when the source has exact tokens
 * @param hasSessions whether requests belong to sessions with numbered turns
 * @param hasGaps whether the time between a turn's end and the next turn is known (closed loop)
 * @param hasTimes whether arrival times are known
 * @param commonClock whether the times of different sessions are on one clock; false when every session starts at 0
 * @param rows requests read so far
 * @param skipped wrong rows left out so far
 * @param sha256 SHA-256 of the file as it lies on disk (of the manifest for a trace directory), in hex
 * @param prefixes how it knows which prompts begin alike
 * @param notes what was assumed or left out on purpose, each a sentence for people
 */
public record TraceDescription(
        String name,
        String format,
        int blockSize,
        boolean hasSessions,
        boolean hasGaps,
        boolean hasTimes,
        boolean commonClock,
        long rows,
        long skipped,
        String sha256,
        Prefixes prefixes,
        List<String> notes) {
    public TraceDescription {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(sha256, "sha256");
        Objects.requireNonNull(prefixes, "prefixes");
        notes = List.copyOf(notes);
        if (blockSize < 0) {
            throw new IllegalArgumentException("block size must not be negative: " + blockSize);
        }
    }

    /** What a figure made from it should be read with, each a sentence for people. */
    public List<String> caveats() {
        List<String> all = new ArrayList<>();
        if (prefixes == Prefixes.ASSUMED) {
            all.add("which prompts begin alike is " + prefixes.meaning());
        }
        if (skipped > 0) {
            all.add(skipped + " wrong rows were left out");
        }
        all.addAll(notes);
        return all;
    }

    /** What to say when there is no request in it. */
    UserError empty() {
        return new UserError("the trace " + name + " has no request"
                + (skipped > 0 ? "; " + skipped + " wrong rows were skipped" : ""));
    }
}
