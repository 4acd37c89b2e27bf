package dev.warmroute.recorder.ingest;

import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Topics named as a trace: {@code kafka://PREFIX} is all they hold now, {@code kafka://PREFIX@FROM/TO} what was written from
 * one time to another (RFC 3339; either may be left out).
 *
 * @param from first time, inclusive
 * @param to last time, exclusive
 */
public record KafkaTrace(String prefix, Optional<Instant> from, Optional<Instant> to) {
    private static final String SCHEME = "kafka://";

    public KafkaTrace {
        Objects.requireNonNull(prefix, "prefix");
        if (prefix.isEmpty()) {
            throw new UserError("kafka:// needs the prefix of the topics, for example kafka://warmroute");
        }
        if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
            throw new UserError("kafka://" + prefix + ": " + from.get() + " is not before " + to.get());
        }
    }

    public static boolean isKafka(String argument) {
        return argument.startsWith(SCHEME);
    }

    /** @throws UserError if the argument is not of this form */
    public static KafkaTrace parse(String argument) {
        String rest = argument.substring(SCHEME.length());
        int at = rest.indexOf('@');
        if (at < 0) {
            return new KafkaTrace(rest, Optional.empty(), Optional.empty());
        }
        String range = rest.substring(at + 1);
        int slash = range.indexOf('/');
        if (slash < 0) {
            throw new UserError(
                    argument + ": after @ a time range FROM/TO was expected, for example @2026-11-30T08:00:00Z/");
        }
        return new KafkaTrace(
                rest.substring(0, at),
                time(argument, range.substring(0, slash)),
                time(argument, range.substring(slash + 1)));
    }

    private static Optional<Instant> time(String argument, String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            throw new UserError(argument + ": '" + text + "' is not a time; write it as 2026-11-30T08:00:00Z", e);
        }
    }

    /** Records the topics into a temporary directory, which the caller deletes. */
    public Path record(KafkaAccess kafka) {
        Path directory;
        try {
            directory = Files.createTempDirectory("warmroute-trace");
        } catch (IOException e) {
            throw new UserError("no temporary directory for the trace can be made: " + e.getMessage(), e);
        }
        RecorderOptions options = RecorderOptions.of(kafka.bootstrap(), prefix, directory, "")
                .withProperties(kafka.properties())
                .withUntil(to.<Until>map(t -> new Until.Time(t.toEpochMilli())).orElse(Until.END));
        if (from.isPresent()) {
            options = options.withFrom(from.get().toEpochMilli());
        }
        new Recorder(options, progress -> {}).run();
        return directory;
    }
}
