package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.ImportedTurns;
import dev.warmroute.recorder.trace.RecordedTurns;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.Turn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A trace directory as a trace to replay. */
final class RecordingReader implements TraceReader {
    /** Format of a trace directory in descriptions. */
    static final String FORMAT = "recording";

    private final String name;
    private final RecordedTurns turns;
    private final String sha256;
    private final List<Path> toDelete;
    private boolean sessions;

    private RecordingReader(Recording recording, String name, List<Path> toDelete) {
        this.name = name;
        this.turns = RecordedTurns.open(recording);
        this.sha256 = recording.sha256();
        this.toDelete = toDelete;
    }

    /** Opens a trace directory, whether it was recorded or imported. */
    static TraceReader open(Path directory, String name) {
        Recording recording = Recording.open(directory);
        Optional<ImportedTurns> imported = ImportedTurns.open(recording);
        return imported.isPresent()
                ? new ImportedReader(recording, imported.get(), name)
                : new RecordingReader(recording, name, List.of());
    }

    /** Opens a directory that is deleted when the reader is closed. */
    static RecordingReader temporary(Path directory, String name) {
        return new RecordingReader(Recording.open(directory), name, List.of(directory));
    }

    @Override
    public boolean hasNext() {
        return turns.hasNext();
    }

    @Override
    public Turn next() {
        Turn turn = turns.next();
        sessions |= turn.hasSession();
        return turn;
    }

    @Override
    public TraceDescription description() {
        return new TraceDescription(
                name,
                FORMAT,
                0,
                sessions,
                sessions,
                true,
                true,
                turns.rows(),
                turns.skipped(),
                sha256,
                turns.promptsRecorded() ? Prefixes.TOKENS : Prefixes.ASSUMED,
                List.of());
    }

    @Override
    public void close() {
        turns.close();
        toDelete.forEach(RecordingReader::delete);
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
