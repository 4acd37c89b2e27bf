package dev.warmroute.simulator.sweep;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.UserError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The topic of results, read from its beginning. Records of other sweeps are in it too. Not thread-safe. */
final class ResultStream implements AutoCloseable {
    /** Key of what a worker says instead of a result, before the worker's name: no id looks like this. */
    private static final String REFUSED = "refused/";

    private static final String WORKER = "worker";

    private final KafkaConsumer<String, byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Listener listener;

    /** Takes what is read. */
    interface Listener {
        /** @param json a {@link ScenarioResult}, of any sweep */
        void result(String id, byte[] json, String worker);

        /** A worker gave a task back. */
        void refused(String worker, String why);
    }

    ResultStream(KafkaAccess access, SweepTopics topics, Listener listener) {
        this.listener = listener;
        Map<String, Object> settings = SweepTopics.client(access);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
        partitions = consumer.partitionsFor(topics.results()).stream()
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    static ProducerRecord<String, byte[]> ofResult(SweepTopics topics, ScenarioResult result, String worker) {
        return named(new ProducerRecord<>(topics.results(), result.id(), result.json()), worker);
    }

    static ProducerRecord<String, byte[]> ofRefusal(SweepTopics topics, String worker, String why) {
        return named(
                new ProducerRecord<>(topics.results(), REFUSED + worker, why.getBytes(StandardCharsets.UTF_8)), worker);
    }

    private static ProducerRecord<String, byte[]> named(ProducerRecord<String, byte[]> record, String worker) {
        record.headers().add(WORKER, worker.getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /**
     * Reads what has come.
     *
     * @return whether there was anything
     */
    boolean poll(Duration atMost) {
        try {
            boolean any = false;
            for (ConsumerRecord<String, byte[]> record : consumer.poll(atMost)) {
                take(record);
                any = true;
            }
            return any;
        } catch (KafkaException e) {
            throw new UserError("Kafka did not give the results: " + e.getMessage() + "; go on with --resume", e);
        }
    }

    /** Reads up to what is the end now. */
    void readToEnd(Duration step) {
        Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(p -> consumer.position(p) < end.get(p))) {
            poll(step);
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        if (record.key() == null || record.value() == null) {
            return;
        }
        Header header = record.headers().lastHeader(WORKER);
        String worker = header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
        if (record.key().startsWith(REFUSED)) {
            listener.refused(worker, new String(record.value(), StandardCharsets.UTF_8));
        } else {
            listener.result(record.key(), record.value(), worker);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
