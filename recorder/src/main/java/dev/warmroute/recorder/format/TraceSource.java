package dev.warmroute.recorder.format;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.recorder.ingest.KafkaTrace;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the user named as a trace: {@code format:path}, a trace directory, or {@code kafka://prefix[@from/to]}. Every command
 * takes the same argument.
 *
 * @param argument as given; figures name it
 * @param onError what to do with wrong rows
 * @param kafka where topics are read from, when the argument names some
 */
public record TraceSource(String argument, OnError onError, Optional<KafkaAccess> kafka) {

    /** A whole trace in memory: all requests in the trace's order, never empty. */
    public record Trace(TraceDescription description, List<Turn> turns) {
        public Trace {
            turns = List.copyOf(turns);
        }
    }

    public TraceSource(String argument, OnError onError) {
        this(argument, onError, Optional.empty());
    }

    public static TraceSource of(String argument) {
        return new TraceSource(argument, OnError.STOP);
    }

    public TraceSource withKafka(KafkaAccess access) {
        return new TraceSource(argument, onError, Optional.of(access));
    }

    /**
     * Opens the trace for reading; the caller closes it.
     *
     * @throws UserError if the argument names no trace that can be read; the message says what it may look like
     */
    public static TraceReader open(String argument) {
        return of(argument).open();
    }

    /** Reads the whole trace. */
    public static Trace read(String argument) {
        return of(argument).read();
    }

    /** Opens the trace for reading; the caller closes it. */
    public TraceReader open() {
        if (KafkaTrace.isKafka(argument)) {
            return kafkaTrace();
        }
        if (Recording.isRecording(path(argument))) {
            return RecordingReader.open(path(argument), argument);
        }
        int colon = argument.indexOf(':');
        if (colon > 0) {
            FormatChoice choice = FormatChoice.parse(argument.substring(0, colon));
            TraceFile file = new TraceFile(path(argument.substring(colon + 1)), argument, choice.blockSize());
            return choice.format().open(file, onError);
        }
        Path path = path(argument);
        if (Files.isRegularFile(path)) {
            throw new UserError(argument + " is a file; say what is in it, for example "
                    + TraceFormat.MOONCAKE.formatName() + ':' + argument + "; the formats are "
                    + String.join(", ", TraceFormat.names()));
        }
        if (Files.isDirectory(path)) {
            throw new UserError(argument + " is not a trace directory: it has no " + TraceManifest.FILE);
        }
        throw new UserError("there is no trace '" + argument
                + "'; a trace is a trace directory, kafka://PREFIX or FORMAT:FILE, where FORMAT is "
                + String.join(", ", TraceFormat.names()));
    }

    private TraceReader kafkaTrace() {
        KafkaAccess access = kafka.orElseThrow(() -> new UserError("the trace " + argument
                + " is in Kafka: say where Kafka is, or record it first and name the trace directory"));
        return RecordingReader.temporary(KafkaTrace.parse(argument).record(access), argument);
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UserError("'" + text + "' is not a path: " + e.getReason(), e);
        }
    }

    /**
     * Reads the whole trace.
     *
     * @throws UserError if it has no request
     */
    public Trace read() {
        try (TraceReader reader = open()) {
            List<Turn> turns = new ArrayList<>();
            reader.forEachRemaining(turns::add);
            TraceDescription description = reader.description();
            if (turns.isEmpty()) {
                throw description.empty();
            }
            return new Trace(description, turns);
        }
    }
}
