package dev.warmroute.recorder.trace;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.Topic;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * One record of a topic as it was written: its place, its CloudEvents attributes and the exact bytes of its value. Text is
 * empty where the record had none.
 *
 * @param topic topic, without prefix
 * @param timestampMs timestamp of the Kafka record, milliseconds since the epoch
 * @param key key of the record; empty when it had none
 * @param id {@code ce_id}
 * @param type {@code ce_type}
 * @param source {@code ce_source}: {@code /router/INSTANCE}
 * @param subject {@code ce_subject}
 * @param time {@code ce_time}, RFC 3339
 * @param sequence {@code ce_sequence}; -1 when there was none
 * @param saltId {@code ce_saltid}: which salt the hashes in it are under
 * @param data value of the record, JSON; empty for a tombstone
 */
public record RecordedEvent(
        Topic topic,
        int partition,
        long offset,
        long timestampMs,
        String key,
        String id,
        String type,
        String source,
        String subject,
        String time,
        long sequence,
        String saltId,
        byte[] data) {
    public RecordedEvent {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(saltId, "saltId");
        Objects.requireNonNull(data, "data");
    }

    /** The same with another value. */
    public RecordedEvent withData(byte[] other) {
        return new RecordedEvent(
                topic, partition, offset, timestampMs, key, id, type, source, subject, time, sequence, saltId, other);
    }

    public boolean tombstone() {
        return data.length == 0;
    }

    /**
     * The event itself.
     *
     * @throws IllegalArgumentException if this warmroute does not know the type or the value is not of it
     */
    public Event event(EventCodec codec) {
        return codec.decode(EventType.named(type), data);
    }

    /**
     * The event itself, where nothing can be done without it.
     *
     * @throws UserError if it cannot be read; the message says where it is
     */
    public Event readable(EventCodec codec) {
        try {
            return event(codec);
        } catch (IllegalArgumentException e) {
            throw new UserError(
                    "the event at " + place() + " cannot be read: " + e.getMessage() + "; trace verify tells more", e);
        }
    }

    /** When it happened, in microseconds since the epoch: {@code ce_time}, or the Kafka timestamp where that is missing. */
    public long timeUs() {
        OptionalLong at = Timestamps.micros(time);
        return at.isPresent() ? at.getAsLong() : TimeUnit.MILLISECONDS.toMicros(timestampMs);
    }

    /** The router process that wrote it, if the attributes name one. */
    public Optional<Writer> writer() {
        return Writer.of(source, id, sequence);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof RecordedEvent e
                && topic == e.topic
                && partition == e.partition
                && offset == e.offset
                && timestampMs == e.timestampMs
                && sequence == e.sequence
                && key.equals(e.key)
                && id.equals(e.id)
                && type.equals(e.type)
                && source.equals(e.source)
                && subject.equals(e.subject)
                && time.equals(e.time)
                && saltId.equals(e.saltId)
                && Arrays.equals(data, e.data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(topic, partition, offset);
    }

    @Override
    public String toString() {
        return type + ' ' + id + " at " + place();
    }

    /** Where it stands on the broker, for messages. */
    public String place() {
        return Topics.directory(topic) + " partition " + partition + " offset " + offset;
    }

    /**
     * A router process: sequences run per writer.
     *
     * @param instance name of the router
     * @param epoch start time of the process in milliseconds since the epoch
     */
    public record Writer(String instance, long epoch) implements Comparable<Writer> {
        private static final String SOURCE = "/router/";

        /** The process behind an event's attributes; empty when they are not a router's. */
        static Optional<Writer> of(String source, String id, long sequence) {
            if (!source.startsWith(SOURCE) || sequence < 0) {
                return Optional.empty();
            }
            String instance = source.substring(SOURCE.length());
            String end = "-" + sequence;
            int from = instance.length() + 1;
            int to = id.length() - end.length();
            if (from >= to || !id.startsWith(instance + '-') || !id.endsWith(end)) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Writer(instance, Long.parseLong(id, from, to, 10)));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        @Override
        public int compareTo(Writer other) {
            int byInstance = instance.compareTo(other.instance);
            return byInstance != 0 ? byInstance : Long.compare(epoch, other.epoch);
        }

        @Override
        public String toString() {
            return instance + '-' + epoch;
        }
    }
}
