package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A sweep on disk: {@code sweep.json} says of what, {@code results.jsonl} has a line for each result. Lines are appended as
 * results come; when all are there the file is replaced by one in the order of the scenarios' numbers, whose bytes depend on
 * the grid alone. A line cut off by a crash is dropped by the next run, which computes it again.
 *
 * <p>One process at a time writes. Not thread-safe.
 */
public final class SweepDirectory implements AutoCloseable {
    static final String MANIFEST = "sweep.json";
    static final String RESULTS = "results.jsonl";
    private static final String LOCK = ".lock";
    private static final int SCHEMA = 1;

    private final Path directory;
    private final Sweep sweep;
    private final FileChannel lock;
    private final Map<String, ScenarioResult> results = new LinkedHashMap<>();
    private Optional<FileChannel> journal = Optional.empty();

    /**
     * What {@code sweep.json} says.
     *
     * @param hash of the grid
     * @param scenarios their number
     */
    record Manifest(int schema, String program, SweepSubject subject, String hash, int scenarios) {
        private static final ObjectMapper JSON = EventCodec.mapper().copy().enable(SerializationFeature.INDENT_OUTPUT);

        static Manifest of(Sweep sweep) {
            return new Manifest(SCHEMA, sweep.program(), sweep.subject(), sweep.hash(), sweep.size());
        }

        byte[] json() {
            try {
                return JSON.writeValueAsBytes(this);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a sweep could not be written as JSON", e);
            }
        }
    }

    private SweepDirectory(Path directory, Sweep sweep, FileChannel lock) {
        this.directory = directory;
        this.sweep = sweep;
        this.lock = lock;
    }

    /**
     * Opens the directory of a sweep, or makes it.
     *
     * @param resume whether results that are there already are taken over; the grid may have grown since
     * @throws UserError if there is something else in it, or a sweep that was not to be resumed or is not part of this one
     */
    public static SweepDirectory open(Path directory, Sweep sweep, boolean resume) {
        try {
            Optional<Manifest> before = manifest(directory);
            if (before.isEmpty()) {
                requireEmpty(directory);
            } else if (!resume) {
                throw new UserError(
                        directory + " has a sweep already: go on with it with --resume, or name another directory");
            }
            Files.createDirectories(directory);
            SweepDirectory opened = new SweepDirectory(directory, sweep, lock(directory));
            try {
                opened.begin(before);
                return opened;
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static Optional<Manifest> manifest(Path directory) throws IOException {
        Path file = directory.resolve(MANIFEST);
        try {
            return Optional.of(EventCodec.mapper().readValue(Files.readAllBytes(file), Manifest.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (JsonProcessingException e) {
            throw new UserError(
                    file + " is not of a sweep: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    private static void requireEmpty(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Set<Path> own = Set.of(directory.resolve(LOCK), WholeFile.unfinished(directory.resolve(MANIFEST)));
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> others =
                    files.filter(f -> !own.contains(f)).map(Path::getFileName).toList();
            if (!others.isEmpty()) {
                throw new UserError(
                        directory + " has other files in it, such as " + others.getFirst() + ": name a new directory");
            }
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Optional<FileLock> taken = Optional.empty();
        try {
            taken = Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException here) {
            // another sweep in this process has it
        }
        if (taken.isEmpty()) {
            channel.close();
            throw new UserError("another sweep writes to " + directory + ": wait for it, or name another directory");
        }
        return channel;
    }

    private void begin(Optional<Manifest> before) throws IOException {
        if (before.isPresent()) {
            requireSame(before.get());
        }
        Path file = directory.resolve(RESULTS);
        long whole = Files.exists(file) ? read(Files.readAllBytes(file)) : 0;
        List<String> gone = results.keySet().stream()
                .filter(id -> !sweep.scenarios().containsKey(id))
                .toList();
        if (!gone.isEmpty()) {
            throw new UserError(directory + " has results of " + gone.size()
                    + " scenarios that the grid no longer has: a grid may grow"
                    + " between runs, not shrink or change; take the old grid, or name another directory");
        }
        WholeFile.write(directory.resolve(MANIFEST), Manifest.of(sweep).json());
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        journal = Optional.of(channel);
        channel.truncate(whole);
        channel.position(whole);
    }

    private void requireSame(Manifest before) {
        if (before.schema() != SCHEMA || !before.program().equals(sweep.program())) {
            throw new UserError(directory + " was begun by warmroute " + before.program() + ", this is "
                    + sweep.program() + ": results of two builds do not belong in one table; name another directory");
        }
        if (!before.subject().equals(sweep.subject())) {
            boolean sameName = before.subject().source().equals(sweep.subject().source());
            throw new UserError(
                    directory + " has results of " + before.subject().source() + ", the grid asks for "
                            + (sameName
                                    ? "another content or mode of it"
                                    : sweep.subject().source()) + ": name another directory");
        }
    }

    /** Takes whole lines over, but for those of a fault; returns where the first one ends that is none. */
    private long read(byte[] lines) {
        int start = 0;
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == '\n') {
                try {
                    ScenarioResult result = ScenarioResult.parse(Arrays.copyOfRange(lines, start, i));
                    if (!result.isFault()) {
                        results.put(result.id(), result);
                    }
                } catch (UncheckedIOException damaged) {
                    return start;
                }
                start = i + 1;
            }
        }
        return start;
    }

    /** All results so far, by id. */
    public Map<String, ScenarioResult> results() {
        return Collections.unmodifiableMap(results);
    }

    /** Ids without a result, in the order of the scenarios' numbers. */
    List<String> missing() {
        return sweep.missing(results);
    }

    /** Keeps a result; one that is there already is not kept twice. */
    public void add(ScenarioResult result) {
        if (!sweep.scenarios().containsKey(result.id())) {
            throw new IllegalArgumentException("a result of no scenario of this sweep: " + result.id());
        }
        if (results.putIfAbsent(result.id(), result) != null) {
            return;
        }
        try {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            line.writeBytes(result.json());
            line.write('\n');
            ByteBuffer bytes = ByteBuffer.wrap(line.toByteArray());
            FileChannel channel = journal.orElseThrow(() -> new IllegalStateException(directory + " is closed"));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /** Brings the results into the order of the scenarios' numbers, when all are there. */
    public void complete() {
        if (!missing().isEmpty()) {
            throw new IllegalStateException(missing().size() + " results are missing");
        }
        List<byte[]> lines = new ArrayList<>();
        int size = 0;
        for (String id : sweep.scenarios().keySet()) {
            byte[] json = results.get(id).json();
            lines.add(json);
            size += json.length + 1;
        }
        ByteBuffer all = ByteBuffer.allocate(size);
        lines.forEach(json -> all.put(json).put((byte) '\n'));
        try {
            closeJournal();
            WholeFile.write(directory.resolve(RESULTS), all.array());
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private void closeJournal() throws IOException {
        if (journal.isPresent()) {
            journal.get().close();
            journal = Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            closeJournal();
            lock.close();
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static UserError unusable(Path directory, IOException e) {
        return new UserError(directory + " cannot be used: " + e.getMessage(), e);
    }
}
