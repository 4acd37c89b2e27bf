package dev.warmroute.router.publish;

import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** An event as it was read back from Kafka. */
record WrittenEvent(Topic topic, Optional<String> key, Map<String, String> headers, Event event) {
    private static final EventCodec CODEC = new EventCodec();

    long sequence() {
        return Long.parseLong(headers.get("ce_sequence"));
    }

    /** Everything on the topics with this prefix, each partition in its order, up to where they end now. */
    static List<WrittenEvent> readAll(String bootstrap, String prefix) {
        Map<String, Topic> topics =
                Arrays.stream(Topic.values()).collect(Collectors.toMap(topic -> topic.name(prefix), topic -> topic));
        List<WrittenEvent> written = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "fetch.max.wait.ms", "20"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = topics.keySet().stream()
                    .flatMap(name -> consumer.partitionsFor(name).stream())
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            while (!ends.isEmpty()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    written.add(of(topics.get(record.topic()), record));
                }
                ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            }
        }
        return written;
    }

    private static WrittenEvent of(Topic topic, ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers().forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
        EventType type = EventType.named(headers.get("ce_type"));
        return new WrittenEvent(
                topic,
                Optional.ofNullable(record.key()).map(k -> new String(k, StandardCharsets.UTF_8)),
                headers,
                CODEC.decode(type, record.value()));
    }
}
