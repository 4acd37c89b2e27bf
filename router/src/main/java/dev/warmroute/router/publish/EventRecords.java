package dev.warmroute.router.publish;

import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.Topic;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Events as Kafka records: CloudEvents attributes as headers, JSON as value, the affinity key or replica as key. */
final class EventRecords {
    private final Map<Topic, String> topics = new EnumMap<>(Topic.class);
    private final String saltId;
    private final EventCodec codec = new EventCodec();

    EventRecords(String prefix, String saltId) {
        for (Topic topic : Topic.values()) {
            topics.put(topic, topic.name(prefix));
        }
        this.saltId = saltId;
    }

    /**
     * The record of an event.
     *
     * @param time when it happened, RFC 3339
     */
    ProducerRecord<byte[], byte[]> record(Event event, RouterIdentity router, String time) {
        Envelope envelope = Envelope.of(event, router, saltId, time);
        RecordHeaders headers = new RecordHeaders();
        envelope.headers().forEach((name, value) -> headers.add(name, bytes(value)));
        String key = envelope.partitionKey();
        boolean tombstone = event instanceof Home home && home.forgotten();
        return new ProducerRecord<>(
                topics.get(envelope.type().topic()),
                null,
                key.isEmpty() ? null : bytes(key),
                tombstone ? null : codec.encode(event),
                headers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
