package dev.warmroute.recorder;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.router.event.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Events on a broker's topics, as a router would have published them. */
public final class PublishedEvents {
    private final String bootstrap;
    private final String prefix;

    public PublishedEvents(String bootstrap, String prefix) {
        this.bootstrap = bootstrap;
        this.prefix = prefix;
    }

    /** Makes all topics. */
    public void create(int partitions) throws ExecutionException, InterruptedException {
        List<NewTopic> all = new ArrayList<>();
        for (Topic t : Topic.values()) {
            all.add(topic(t, partitions));
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(all).all().get();
        }
    }

    /** A topic. Events of tests carry made-up times, which the broker must not take for expired. */
    public NewTopic topic(Topic topic, int partitions) {
        return new NewTopic(topic.name(prefix), partitions, (short) 1).configs(Map.of("retention.ms", "-1"));
    }

    /** Publishes events and waits until the broker has them. */
    public void send(List<RecordedEvent> events) {
        try (Sender sender = sender()) {
            events.forEach(sender::send);
        }
    }

    public Sender sender() {
        return new Sender();
    }

    /** Publishes events one after the other; closing waits until the broker has them. */
    public final class Sender implements AutoCloseable {
        // One request at a time: a partition made a moment ago may refuse the first and take the second, out of order.
        private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(Map.of(
                "bootstrap.servers",
                bootstrap,
                "max.in.flight.requests.per.connection",
                1,
                "linger.ms",
                5,
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class));

        private Sender() {}

        public void send(RecordedEvent e) {
            producer.send(record(e));
        }

        @Override
        public void close() {
            producer.close();
        }
    }

    private ProducerRecord<byte[], byte[]> record(RecordedEvent e) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("ce_specversion", utf8("1.0"));
        headers.add("ce_id", utf8(e.id()));
        headers.add("ce_type", utf8(e.type()));
        headers.add("ce_source", utf8(e.source()));
        headers.add("ce_subject", utf8(e.subject()));
        headers.add("ce_time", utf8(e.time()));
        headers.add("ce_sequence", utf8(Long.toString(e.sequence())));
        headers.add("ce_saltid", utf8(e.saltId()));
        return new ProducerRecord<>(
                e.topic().name(prefix),
                e.partition(),
                e.timestampMs(),
                e.key().isEmpty() ? null : utf8(e.key()),
                e.tombstone() ? null : e.data(),
                headers);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
