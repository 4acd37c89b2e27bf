package dev.warmroute.simulator.sweep;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The coordinator's side of the tasks: hands them in, and sees what has become of them. */
final class TaskQueue {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaAccess access;
    private final SweepTopics topics;
    private final Admin admin;

    TaskQueue(KafkaAccess access, SweepTopics topics, Admin admin) {
        this.access = access;
        this.topics = topics;
        this.admin = admin;
    }

    /** Hands tasks in, in this order. */
    void publish(Sweep sweep, Collection<String> ids) {
        Map<String, Object> settings = SweepTopics.client(access);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        AtomicReference<Exception> failed = new AtomicReference<>();
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            for (String id : ids) {
                producer.send(
                        new ProducerRecord<>(topics.tasks(), id, sweep.task(id).json()), (written, e) -> {
                            if (e != null) {
                                failed.compareAndSet(null, e);
                            }
                        });
            }
            producer.flush();
        } catch (KafkaException e) {
            failed.compareAndSet(null, e);
        }
        if (failed.get() != null) {
            throw new UserError("Kafka did not take the tasks: " + failed.get().getMessage(), failed.get());
        }
    }

    /** Ids of the tasks that wait for a worker or are with one. */
    Set<String> pending() {
        Set<String> ids = new HashSet<>();
        Map<TopicPartition, Long> done = done();
        Map<TopicPartition, Long> from = offsets(OffsetSpec.earliest());
        Map<TopicPartition, Long> to = offsets(OffsetSpec.latest());
        Map<String, Object> settings = SweepTopics.client(access);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(to.keySet());
            from.forEach(
                    (partition, first) -> consumer.seek(partition, Math.max(first, done.getOrDefault(partition, 0L))));
            while (to.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<String, byte[]> task : consumer.poll(POLL)) {
                    ids.add(task.key());
                }
            }
        } catch (KafkaException e) {
            throw new UserError("Kafka did not say which tasks there are: " + e.getMessage(), e);
        }
        return ids;
    }

    private Map<TopicPartition, Long> offsets(OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        SweepTopics.CLUSTER
                .await(admin.describeTopics(List.of(topics.tasks())).allTopicNames(), "describe " + topics.tasks())
                .get(topics.tasks())
                .partitions()
                .forEach(p -> asked.put(new TopicPartition(topics.tasks(), p.partition()), which));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        SweepTopics.CLUSTER
                .await(admin.listOffsets(asked).all(), "say where " + topics.tasks() + " begins and ends")
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /**
     * Whether every task that was handed in is done with: acknowledged, or given up after too many workers. A cluster that does
     * not answer says nothing.
     */
    boolean drained() {
        try {
            Map<TopicPartition, Long> done = done();
            return offsets(OffsetSpec.latest()).entrySet().stream()
                    .allMatch(end -> done.getOrDefault(end.getKey(), 0L) >= end.getValue());
        } catch (UserError e) {
            return false;
        }
    }

    /** Number of consumers in the workers' group: a worker has one for each of its threads. */
    int workerThreads() {
        try {
            return SweepTopics.CLUSTER
                    .await(admin.describeShareGroups(List.of(topics.group())).all(), "describe group " + topics.group())
                    .get(topics.group())
                    .members()
                    .size();
        } catch (UserError e) {
            return 0;
        }
    }

    /** Offsets below which every task is done with; empty before the first worker has come. */
    private Map<TopicPartition, Long> done() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        try {
            Map<TopicPartition, SharePartitionOffsetInfo> known = SweepTopics.CLUSTER.await(
                    admin.listShareGroupOffsets(Map.of(topics.group(), new ListShareGroupOffsetsSpec()))
                            .partitionsToOffsetInfo(topics.group()),
                    "say how far group " + topics.group() + " is");
            known.forEach((partition, info) -> {
                if (partition.topic().equals(topics.tasks()) && info != null) {
                    offsets.put(partition, info.startOffset());
                }
            });
        } catch (UserError e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                throw e;
            }
        }
        return offsets;
    }
}
