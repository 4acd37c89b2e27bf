package dev.warmroute.recorder.ingest;

import dev.warmroute.recorder.trace.EventPreparer;
import dev.warmroute.recorder.trace.PreparedEvent;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Records topics into a trace directory. Every record goes into the trace once: where the trace's manifest ends, recording
 * goes on, whatever was committed; offsets are committed after their events are listed in the manifest. Records that the
 * broker no longer has are listed as gaps. {@link #run} does all the work in the calling thread, {@link #stop} may be called
 * from any thread.
 */
public final class Recorder {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_FOR_TOPICS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RecorderOptions options;
    private final Consumer<Progress> progress;
    private final TopicMap topics;
    private final KafkaEvents reader = new KafkaEvents();
    private final EventPreparer preparer = new EventPreparer();
    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private Map<TopicPartition, Long> targets = new HashMap<>();
    private boolean targetsKnown;
    private volatile boolean stopping;
    private volatile KafkaConsumer<byte[], byte[]> consumer;
    private long events;
    private long dataBytes;

    /** @param progress told once a second how it goes, in the thread of {@link #run} */
    public Recorder(RecorderOptions options, Consumer<Progress> progress) {
        this.options = options;
        this.progress = progress;
        this.topics = new TopicMap(options.prefix(), options.topics());
    }

    /** Asks {@link #run} to finish its segments and return. */
    public void stop() {
        stopping = true;
        KafkaConsumer<byte[], byte[]> c = consumer;
        if (c != null) {
            c.wakeup();
        }
    }

    /**
     * Records until it is stopped or has reached what {@link RecorderOptions#until} says. What was taken is safe when this
     * returns.
     *
     * @throws UserError if Kafka does not answer, there is no topic, or the trace cannot be written
     */
    public RecordedRun run() {
        long start = System.nanoTime();
        boolean interrupted = false;
        KafkaCluster cluster = KafkaCluster.ask(options);
        try (WriterThread writer = new WriterThread(TraceWriter.open(
                        options.directory(), options.version(), cluster.id(), options.prefix(), options.limits()));
                KafkaConsumer<byte[], byte[]> opened = new KafkaConsumer<>(settings())) {
            consumer = opened;
            writer.topics(cluster.topicIds());
            try {
                begin(writer);
                loop(writer, start);
            } catch (WakeupException | InterruptException e) {
                // asked to stop: an interrupt must not reach the files that are about to be finished
                Thread.interrupted();
                interrupted = e instanceof InterruptException;
            }
            finish(writer, start);
            return new RecordedRun(writer.end(), events, dataBytes, seconds(start));
        } catch (KafkaException e) {
            throw new UserError(
                    "Kafka at " + options.bootstrap() + " could not be read: " + e.getMessage()
                            + "; what is listed in the trace is safe, start the recorder again",
                    e);
        } finally {
            consumer = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> s = new HashMap<>(options.properties());
        s.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, options.bootstrap());
        s.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        s.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        s.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        s.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        s.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
        s.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 << 20);
        options.group().ifPresent(g -> s.put(ConsumerConfig.GROUP_ID_CONFIG, g));
        return s;
    }

    private void begin(WriterThread writer) {
        List<TopicPartition> all = topics.partitions(consumer);
        if (all.isEmpty()) {
            throw new UserError("Kafka at " + options.bootstrap() + " has no topic " + options.prefix()
                    + ".*: check the prefix, and that a router has run with it");
        }
        if (options.until() instanceof Until.End) {
            targets = new HashMap<>(consumer.endOffsets(all));
            targetsKnown = true;
        }
        if (options.group().isPresent()) {
            consumer.subscribe(topics.names(), new Sharing(writer));
        } else {
            assign(writer, all);
        }
    }

    private void loop(WriterThread writer, long start) {
        long reported = start;
        long reportedEvents = 0;
        long rolled = start;
        long looked = start;
        while (!stopping && !reached()) {
            ConsumerRecords<byte[], byte[]> records = poll();
            boolean listed = writer.append(prepared(records));
            long now = System.nanoTime();
            if (now - rolled >= options.rollEvery().toNanos()) {
                listed |= writer.roll();
                writer.tidy(options.keep());
                rolled = now;
            }
            if (listed) {
                commit(writer);
            }
            if (now - looked >= LOOK_FOR_TOPICS_NANOS) {
                looked = now;
                takeNewPartitions(writer);
            }
            if (now - reported >= REPORT_NANOS) {
                progress.accept(new Progress(
                        events,
                        dataBytes,
                        (events - reportedEvents) / ((now - reported) / 1e9),
                        lag(),
                        seconds(start)));
                reported = now;
                reportedEvents = events;
            }
        }
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        while (true) {
            try {
                return consumer.poll(POLL);
            } catch (OffsetOutOfRangeException e) {
                startOver(e.offsetOutOfRangePartitions());
            }
        }
    }

    /** Goes on at the first offset that is left, if the one to go on from has expired. */
    private void startOver(Map<TopicPartition, Long> wanted) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(wanted.keySet());
        wanted.forEach((partition, offset) -> {
            if (offset > ends.get(partition)) {
                throw new UserError("topic " + partition.topic() + " partition " + partition.partition()
                        + " ends at offset "
                        + ends.get(partition) + ", the trace " + options.directory() + " already has everything before "
                        + offset + ": the topic was made anew; record into another directory");
            }
        });
        consumer.seekToBeginning(wanted.keySet());
    }

    private List<PreparedEvent> prepared(ConsumerRecords<byte[], byte[]> records) {
        List<PreparedEvent> out = new ArrayList<>(records.count());
        for (TopicPartition partition : records.partitions()) {
            Topic topic = topics.of(partition.topic());
            long target = targetsKnown ? targets.getOrDefault(partition, 0L) : Long.MAX_VALUE;
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                if (record.offset() >= target) {
                    break;
                }
                PreparedEvent event = preparer.prepare(reader.event(topic, record));
                out.add(event);
                dataBytes += event.event().data().length;
            }
        }
        events += out.size();
        return out;
    }

    /** Whether everything up to the end has been taken. */
    private boolean reached() {
        if (options.until() instanceof Until.Time time && !targetsKnown) {
            if (System.currentTimeMillis() < time.epochMillis()) {
                return false;
            }
            targets = offsetsAt(topics.partitions(consumer), time.epochMillis());
            targetsKnown = true;
        }
        if (!targetsKnown) {
            return false;
        }
        List<TopicPartition> done = new ArrayList<>();
        for (TopicPartition partition : consumer.assignment()) {
            if (consumer.position(partition) >= targets.getOrDefault(partition, 0L)) {
                done.add(partition);
            }
        }
        consumer.pause(done);
        return !consumer.assignment().isEmpty()
                && done.size() == consumer.assignment().size();
    }

    /** First offset of each partition whose record has this timestamp or a later one, or its end. */
    private Map<TopicPartition, Long> offsetsAt(Collection<TopicPartition> partitions, long epochMillis) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(p -> times.put(p, epochMillis));
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
        consumer.offsetsForTimes(times).forEach((partition, at) -> {
            if (at != null) {
                offsets.put(partition, at.offset());
            }
        });
        return offsets;
    }

    private void takeNewPartitions(WriterThread writer) {
        if (options.group().isEmpty()) {
            List<TopicPartition> all = topics.partitions(consumer);
            if (!consumer.assignment().containsAll(all)) {
                assign(writer, all);
            }
        }
    }

    private void assign(WriterThread writer, List<TopicPartition> all) {
        Set<TopicPartition> before = consumer.assignment();
        List<TopicPartition> fresh =
                all.stream().filter(p -> !before.contains(p)).toList();
        consumer.assign(all);
        seek(writer, fresh, Map.of());
    }

    /** Sets where partitions go on: where the trace ends, or somebody else's commit if that is further, or the beginning. */
    private void seek(
            WriterThread writer,
            Collection<TopicPartition> partitions,
            Map<TopicPartition, OffsetAndMetadata> commits) {
        List<TopicPartition> fromBeginning = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Topic topic = topics.of(partition.topic());
            OffsetAndMetadata commit = commits.get(partition);
            if (commit != null) {
                writer.resume(topic, partition.partition(), commit.offset());
            }
            long next = writer.nextOffset(topic, partition.partition());
            long from = next < 0 && commit != null ? commit.offset() : next;
            if (from < 0) {
                fromBeginning.add(partition);
            } else {
                consumer.seek(partition, from);
            }
        }
        if (fromBeginning.isEmpty()) {
            return;
        }
        if (options.fromMillis().isPresent()) {
            offsetsAt(fromBeginning, options.fromMillis().getAsLong()).forEach(consumer::seek);
        } else {
            consumer.seekToBeginning(fromBeginning);
        }
    }

    private void commit(WriterThread writer) {
        if (options.group().isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> safe = new HashMap<>();
        for (Position p : writer.listed()) {
            TopicPartition partition = new TopicPartition(options.prefix() + '.' + p.topic(), p.partition());
            if (consumer.assignment().contains(partition) && committed.getOrDefault(partition, -1L) < p.nextOffset()) {
                safe.put(partition, new OffsetAndMetadata(p.nextOffset()));
            }
        }
        if (safe.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(safe, ANSWER);
            safe.forEach((partition, offset) -> committed.put(partition, offset.offset()));
        } catch (RebalanceInProgressException | CommitFailedException e) {
            // The next poll ends the rebalance, and tells which partitions are ours still; these are committed next
            // time.
        }
    }

    private void finish(WriterThread writer, long start) {
        writer.roll();
        try {
            commit(writer);
        } catch (WakeupException e) {
            commit(writer); // the call to stop came late; it wakes only once
        }
        double seconds = seconds(start);
        progress.accept(new Progress(events, dataBytes, events / seconds, lag(), seconds));
    }

    private long lag() {
        long lag = 0;
        for (TopicPartition partition : consumer.assignment()) {
            OptionalLong behind = consumer.currentLag(partition);
            if (behind.isEmpty()) {
                return -1;
            }
            lag += behind.getAsLong();
        }
        return lag;
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Gives partitions to other recorders of the group, and takes them over. */
    private final class Sharing implements ConsumerRebalanceListener {
        private final WriterThread writer;

        private Sharing(WriterThread writer) {
            this.writer = writer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            partitions.forEach(committed::remove);
            seek(writer, partitions, consumer.committed(new HashSet<>(partitions)));
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(p -> writer.roll(topics.of(p.topic()), p.partition()));
            commit(writer);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            partitions.forEach(p -> writer.forget(topics.of(p.topic()), p.partition()));
        }
    }
}
