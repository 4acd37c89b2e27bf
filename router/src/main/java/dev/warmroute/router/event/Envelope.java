package dev.warmroute.router.event;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event with its CloudEvents attributes, as the Kafka binding carries them in binary mode: each attribute a header
 * {@code ce_NAME}, the event itself the JSON value.
 *
 * @param id unique among all events of all routers: instance, epoch and sequence
 * @param source {@code /router/INSTANCE}
 * @param time RFC 3339
 * @param partitionKey key of the Kafka record; empty for a request without a conversation, which may go to any partition
 * @param saltId id of the salt behind the hashes; an extension attribute
 */
public record Envelope(
        EventType type,
        String id,
        String source,
        String subject,
        String time,
        String partitionKey,
        long sequence,
        String saltId) {
    /** Header with the id of the salt. */
    public static final String SALT_ID = "ce_saltid";

    public static Envelope of(Event event, RouterIdentity router, String saltId, String time) {
        return new Envelope(
                EventType.of(event),
                router.instance() + '-' + router.epoch() + '-' + router.sequence(),
                "/router/" + router.instance(),
                event.subject(),
                time,
                event.key(),
                router.sequence(),
                saltId);
    }

    /** Headers of the Kafka record, in a fixed order. An attribute without a value is left out, as CloudEvents wants it. */
    public Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", "1.0");
        headers.put("ce_id", id);
        headers.put("ce_type", type.wireName());
        headers.put("ce_source", source);
        headers.put("ce_subject", subject);
        headers.put("ce_time", time);
        if (!partitionKey.isEmpty()) {
            headers.put("ce_partitionkey", partitionKey);
        }
        headers.put("ce_sequence", Long.toString(sequence));
        headers.put(SALT_ID, saltId);
        headers.put("content-type", "application/json");
        return headers;
    }
}
