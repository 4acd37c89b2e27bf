package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What coding agents write down of their sessions: JSON records on the wall clock, a file for each session or sub-agent, or a
 * directory of them. Records may stand in one line each or be spread over lines with separators for human eyes in between.
 * Only sizes and times are taken; names of sessions are replaced by numbers.
 */
abstract class TranscriptReader extends RowReader {
    private final List<TraceFile> files;
    private final long size;
    private final Histories histories = new Histories();
    private final Conversations conversations = new Conversations();
    private int nextFile;
    private long doneBytes;
    private Optional<JsonRecords> records = Optional.empty();
    private OptionalLong start = OptionalLong.empty();
    private boolean ended;

    TranscriptReader(TraceFile file, OnError onError, TraceFormat format) {
        super(file, onError, format.formatName());
        files = file.files(n -> n.endsWith(".jsonl") || n.endsWith(".jsonl.gz"));
        size = files.stream().mapToLong(TraceFile::size).sum();
    }

    /** Takes in a record, and {@linkplain #emit emits} a request that it completes. */
    abstract void record(JsonFields record);

    /** A file begins. */
    abstract void fileBegins();

    /** A file has ended: emits a request that is still open. */
    abstract void fileEnds();

    /** The file that is being read. */
    final Path currentFile() {
        return files.get(nextFile - 1).path();
    }

    /** A request; times in nanoseconds since 1970. */
    final Turn turn(
            String session,
            String agent,
            long sent,
            long ended,
            int tokens,
            int cached,
            int output,
            String model,
            String stop) {
        String conversation = agent.isEmpty() ? session : session + '/' + agent;
        long arrival = fromStart(sent);
        long duration = Math.max(0, ended - sent);
        int turn = conversations.next(conversation);
        int answer = Math.max(1, output);
        Prompt prompt = histories.assumed(conversation, index(), tokens, cached);
        histories.add(conversation, prompt, Turn.freshOutput(index()), answer);
        long gap = conversations.gap(conversation, arrival);
        conversations.add(conversation, turn, arrival, duration);
        return new Turn(
                index(),
                arrival,
                session,
                agent,
                turn,
                gap,
                prompt,
                answer,
                Turn.freshOutput(index()),
                new Turn.Recorded(-1, cached, Turn.UNKNOWN, duration),
                new Turn.Labels("", "", "", model, "", stop));
    }

    /** A time from the start of the earliest file. */
    private long fromStart(long nanos) {
        if (start.isEmpty()) {
            start = OptionalLong.of(earliest());
        }
        return Math.max(0, nanos - start.getAsLong());
    }

    /** The first time in any of the files, each of which is in order. */
    private long earliest() {
        long earliest = Long.MAX_VALUE;
        for (TraceFile file : files) {
            try (JsonRecords lines = new JsonRecords(file)) {
                long first = Long.MAX_VALUE;
                while (first == Long.MAX_VALUE && lines.next()) {
                    first = time(lines);
                }
                earliest = Math.min(earliest, first);
            }
        }
        return earliest;
    }

    private static long time(JsonRecords lines) {
        try {
            return WallClock.nanos(lines.record().textOr("timestamp", "")).orElse(Long.MAX_VALUE);
        } catch (RowException e) {
            return Long.MAX_VALUE; // reported when it is read again
        }
    }

    /** When a record was written. */
    static long at(JsonFields record) {
        return WallClock.nanos("timestamp", record.text("timestamp"));
    }

    @Override
    final boolean readRow() {
        if (ended) {
            return false;
        }
        if (records.isEmpty()) {
            if (nextFile == files.size()) {
                ended = true;
                return false;
            }
            records = Optional.of(new JsonRecords(files.get(nextFile++)));
            fileBegins();
        }
        if (records.get().next()) {
            record(records.get().record());
            return true;
        }
        fileEnds();
        doneBytes += files.get(nextFile - 1).size();
        records.get().close();
        records = Optional.empty();
        return true;
    }

    @Override
    final Prefixes prefixes() {
        return Prefixes.ASSUMED;
    }

    @Override
    List<String> notes() {
        return List.of(
                "sizes only; a prompt shorter than its conversation repeats as much of it as the provider's cache had");
    }

    @Override
    final String place() {
        return records.map(JsonRecords::place).orElseGet(() -> file().path().toString());
    }

    @Override
    public final double progress() {
        return size == 0 ? 1 : Math.min(1, (double) doneBytes / size);
    }

    @Override
    public final void close() {
        records.ifPresent(JsonRecords::close);
    }
}
