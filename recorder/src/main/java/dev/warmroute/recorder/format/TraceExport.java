package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/** Writes a trace in another format, and says what that cannot carry. */
public final class TraceExport {
    private static final int PROGRESS_EVERY = 256;

    private TraceExport() {}

    /**
     * What was written.
     *
     * @param format name of the format
     * @param requests number of requests
     * @param skipped wrong rows of the source that were left out
     * @param notes what the format could not carry, each a sentence
     */
    public record Exported(String format, Path file, long requests, long skipped, List<String> notes) {
        public Exported {
            notes = List.copyOf(notes);
        }
    }

    /**
     * Writes the rest of a trace; the reader stays the caller's to close.
     *
     * @param progress hears the share that has been read
     * @throws UserError if the trace has no request, a wrong row may not be skipped, the format is not written, or the file
     *     cannot be
     */
    public static Exported run(TraceReader reader, FormatChoice to, Path file, DoubleConsumer progress) {
        reader.hasNext();
        try (ExportFile out = ExportFile.create(file)) {
            TurnWriter writer = to.format().write(out.text(), reader.description(), to.blockSize());
            Map<Part, Long> seen = new EnumMap<>(Part.class);
            while (reader.hasNext()) {
                Turn turn = reader.next();
                writer.write(turn);
                count(turn, seen);
                if (turn.index() % PROGRESS_EVERY == 0) {
                    progress.accept(reader.progress());
                }
            }
            writer.finish();
            TraceDescription source = reader.description();
            if (source.rows() == 0) {
                throw source.empty();
            }
            out.complete();
            return new Exported(
                    to.format().formatName(),
                    file,
                    source.rows(),
                    source.skipped(),
                    notes(source, to.format(), seen, writer));
        } catch (UncheckedIOException e) {
            throw ExportFile.unwritable(file, new IOException(e.getCause().getMessage(), e));
        }
    }

    private static void count(Turn turn, Map<Part, Long> seen) {
        for (Part part : Part.values()) {
            if (part.in(turn)) {
                seen.merge(part, 1L, Long::sum);
            }
        }
    }

    private static List<String> notes(
            TraceDescription source, TraceFormat to, Map<Part, Long> seen, TurnWriter writer) {
        List<String> notes = new ArrayList<>();
        List<String> lost = seen.entrySet().stream()
                .filter(e -> !to.carries().contains(e.getKey()))
                .map(e -> e.getKey().words() + " (" + e.getValue() + " requests)")
                .toList();
        if (!lost.isEmpty()) {
            notes.add(to.formatName() + " does not carry " + String.join(", ", lost));
        }
        if (!to.carries().contains(Part.PREFIXES) && source.prefixes().ordinal() < Prefixes.ASSUMED.ordinal()) {
            notes.add(to.formatName() + " does not carry which prompts begin alike");
        }
        if (to.carries().contains(Part.TIMES) && !source.commonClock()) {
            notes.add("the times of each session count from its own start, not from that of the trace");
        }
        notes.addAll(writer.notes());
        return notes;
    }
}
