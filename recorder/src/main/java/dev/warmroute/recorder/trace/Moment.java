package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.Quantities;
import dev.warmroute.router.event.Topic;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A moment of a trace, as people write it: a time ({@code 2026-11-30T08:00:00Z}), a time after the trace's first event
 * ({@code +90s}), or an event by its place ({@code decisions/0:4711}, and {@code 4711} where the decisions have one partition).
 */
public sealed interface Moment {
    /** How moments are written, for help and for messages. */
    String FORMS =
            "a time such as 2026-11-30T08:00:00Z, +90s after the first event, or an event's TOPIC/PARTITION:OFFSET such as"
                    + " decisions/0:4711";

    /**
     * A point in time.
     *
     * @param us microseconds since the epoch
     */
    record Time(long us) implements Moment {
        @Override
        public long us(Recording recording) {
            return us;
        }
    }

    /**
     * A time after the first event.
     *
     * @param us microseconds
     */
    record After(long us) implements Moment {
        @Override
        public long us(Recording recording) {
            OptionalLong first = recording.manifest().firstTimeUs();
            if (first.isEmpty()) {
                throw new UserError(recording.directory() + " holds no events");
            }
            return first.getAsLong() + us;
        }
    }

    /** An event. The partition is -1 when it was not named. */
    record Event(Topic topic, int partition, long offset) implements Moment {
        @Override
        public long us(Recording recording) {
            return in(recording).timeUs();
        }

        /**
         * The event itself.
         *
         * @throws UserError if the recording does not have it
         */
        public RecordedEvent in(Recording recording) {
            List<Position> positions = recording.manifest().positions().stream()
                    .filter(p -> p.topic().equals(Topics.directory(topic)))
                    .toList();
            int named = partition;
            if (named < 0) {
                if (positions.size() != 1) {
                    throw new UserError("offset " + offset + " needs its partition, as in decisions/0:" + offset + "; "
                            + recording.directory() + " has " + said(positions));
                }
                named = positions.getFirst().partition();
            }
            return recording
                    .at(topic, named, offset)
                    .orElseThrow(() -> new UserError(recording.directory() + " has no event at "
                            + Topics.directory(topic) + (partition < 0 ? "" : "/" + partition) + ":" + offset
                            + "; it has " + said(positions)));
        }

        private String said(List<Position> positions) {
            return positions.isEmpty()
                    ? "no " + Topics.directory(topic)
                    : positions.stream()
                            .map(p -> p.topic() + '/' + p.partition() + ":" + p.firstOffset() + " to "
                                    + (p.nextOffset() - 1))
                            .collect(Collectors.joining(", "));
        }
    }

    /** The moment as a time in microseconds since the epoch; of an event, when it happened. */
    long us(Recording recording);

    /** @throws UserError if the text is none of the forms */
    static Moment parse(String text) {
        Matcher event =
                Pattern.compile("(?:([a-zA-Z]+)/(\\d{1,6}):)?(\\d{1,18})").matcher(text);
        if (event.matches()) {
            return new Event(
                    event.group(1) == null ? Topic.DECISIONS : topic(text, event.group(1)),
                    event.group(2) == null ? -1 : Integer.parseInt(event.group(2)),
                    Long.parseLong(event.group(3)));
        }
        if (text.startsWith("+")) {
            return new After(Quantities.duration(text.substring(1))
                            .orElseThrow(() -> wrong(text))
                            .toNanos()
                    / 1000);
        }
        try {
            OffsetDateTime at = OffsetDateTime.parse(text);
            return new Time(at.toEpochSecond() * 1_000_000 + at.get(ChronoField.MICRO_OF_SECOND));
        } catch (DateTimeException e) {
            throw wrong(text);
        }
    }

    private static Topic topic(String text, String name) {
        return Arrays.stream(Topic.values())
                .filter(t -> Topics.directory(t).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("'" + text + "': there is no topic '" + name + "'; topics are "
                        + Arrays.stream(Topic.values()).map(Topics::directory).collect(Collectors.joining(", "))));
    }

    private static UserError wrong(String text) {
        return new UserError("'" + text + "' is no moment; write " + FORMS);
    }
}
