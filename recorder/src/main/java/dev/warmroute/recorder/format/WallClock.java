package dev.warmroute.recorder.format;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;

/**
 * Dates and times as traces write them: {@code 2023-11-16 18:17:03.9799600}, with {@code T} instead of the space, with or
 * without a fraction of up to nine digits, with or without an offset (then UTC). As nanoseconds since 1970.
 */
final class WallClock {
    private static final DateTimeFormatter READ = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd['T'][' ']HH:mm:ss")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HH:MM", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHmm", "Z")
            .optionalEnd()
            .toFormatter();

    private static final DateTimeFormatter HUNDRED_NANOS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSS");
    private static final DateTimeFormatter NANOS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS");

    private WallClock() {}

    /** Reads a time; empty when it is none. */
    static Optional<Long> nanos(String text) {
        try {
            TemporalAccessor read = READ.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            Instant instant =
                    read instanceof OffsetDateTime o ? o.toInstant() : ((LocalDateTime) read).toInstant(ZoneOffset.UTC);
            return Optional.of(
                    Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano()));
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads a time.
     *
     * @throws RowException if it is none
     */
    static long nanos(String field, String text) {
        return nanos(text)
                .orElseThrow(() -> new RowException(
                        field, "expected a date and time like 2023-11-16 18:17:03.9799600, found '" + text + "'"));
    }

    /** As Azure's traces write it, with seven digits; with nine where seven are not enough. */
    static String azure(long nanos) {
        return (nanos % 100 == 0 ? HUNDRED_NANOS : NANOS).format(instant(nanos).atOffset(ZoneOffset.UTC));
    }

    /** In ISO 8601, UTC. */
    static String iso(long nanos) {
        return instant(nanos).toString();
    }

    private static Instant instant(long nanos) {
        return Instant.EPOCH.plus(nanos, ChronoUnit.NANOS);
    }
}
