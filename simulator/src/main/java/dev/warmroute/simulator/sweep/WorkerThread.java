package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * One member of the workers' share group, with one task at a time in its hands. While the task is computed in a thread beside,
 * its lock is renewed; a renewed record comes again with the next poll. The result is in Kafka before the task is acknowledged,
 * so whatever ends this process costs at most that a task is computed again.
 */
final class WorkerThread implements Runnable {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int ASSUMED_LOCK_MS = 15_000;
    /** A lock is renewed after this part of it, so that one lost answer does not lose it. */
    private static final int PARTS_OF_LOCK = 3;

    private final SweepWorker.Settings settings;
    private final WorkerSubjects subjects;
    private final KafkaProducer<String, byte[]> producer;
    private final CountDownLatch stopping;
    private final SweepWorker worker;
    private final int number;
    private final ExecutorService computing =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    private final Set<String> complaints = new HashSet<>();
    private Optional<TaskInHand> inHand = Optional.empty();
    private int refusedInARow;

    WorkerThread(
            SweepWorker.Settings settings,
            WorkerSubjects subjects,
            KafkaProducer<String, byte[]> producer,
            CountDownLatch stopping,
            SweepWorker worker,
            int number) {
        this.settings = settings;
        this.subjects = subjects;
        this.producer = producer;
        this.stopping = stopping;
        this.worker = worker;
        this.number = number;
    }

    @Override
    public void run() {
        try (KafkaShareConsumer<String, byte[]> consumer =
                new KafkaShareConsumer<>(consuming(), new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(settings.topics().tasks()));
            while (stopping.getCount() > 0) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                    AcknowledgeType how =
                            work(record, consumer.acquisitionLockTimeoutMs().orElse(ASSUMED_LOCK_MS));
                    acknowledge(consumer, record, how);
                    if (how != AcknowledgeType.RENEW) {
                        inHand = Optional.empty();
                    }
                    if (how == AcknowledgeType.RELEASE) {
                        pause();
                    }
                }
            }
        } catch (KafkaException e) {
            throw new UserError("Kafka at " + settings.access().bootstrap() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopping.countDown(); // a thread that fails ends the others
            inHand.ifPresent(TaskInHand::cancel);
            computing.shutdownNow();
        }
    }

    /** Tells Kafka what has become of a task. A lock that was lost in the meantime is somebody else's: nothing to do. */
    private void acknowledge(
            KafkaShareConsumer<String, byte[]> consumer, ConsumerRecord<String, byte[]> record, AcknowledgeType how) {
        consumer.acknowledge(record, how);
        if (how == AcknowledgeType.ACCEPT) {
            return; // goes with the next poll: one round trip less for each task
        }
        try {
            consumer.commitSync();
        } catch (TimeoutException e) {
            worker.said("Kafka at " + settings.access().bootstrap() + " does not answer; a task may be computed again");
        }
    }

    private Map<String, Object> consuming() {
        Map<String, Object> consumer = SweepTopics.client(settings.access());
        consumer.put(ConsumerConfig.GROUP_ID_CONFIG, settings.topics().group());
        consumer.put(ConsumerConfig.CLIENT_ID_CONFIG, settings.name() + '-' + number);
        consumer.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
        // By default one worker takes a whole batch of the producer's and the others wait.
        consumer.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
        consumer.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        return consumer;
    }

    /** Computes a task, or goes on with it, for as long as its lock allows. */
    private AcknowledgeType work(ConsumerRecord<String, byte[]> record, int lockMs) throws InterruptedException {
        if (inHand.isPresent() && !inHand.get().isOf(record)) {
            inHand.get().cancel(); // its lock was lost while it was renewed
            inHand = Optional.empty();
        }
        if (inHand.isEmpty()) {
            inHand = Optional.of(TaskInHand.begin(record, subjects, computing));
        }
        Optional<ScenarioResult> result;
        try {
            result = inHand.get().await(lockMs / PARTS_OF_LOCK, stopping);
        } catch (UserError e) {
            refuse(e.getMessage());
            return AcknowledgeType.RELEASE;
        }
        if (result.isPresent()) {
            return publish(ResultStream.ofResult(settings.topics(), result.get(), settings.name()))
                    ? accepted()
                    : AcknowledgeType.RELEASE;
        }
        if (stopping.getCount() == 0) {
            inHand.get().cancel();
            return AcknowledgeType.RELEASE;
        }
        return AcknowledgeType.RENEW;
    }

    private AcknowledgeType accepted() {
        refusedInARow = 0;
        worker.computedOne();
        return AcknowledgeType.ACCEPT;
    }

    /** Says what is wrong with a task here, once for each reason, to a person at the worker and one at the coordinator. */
    private void refuse(String why) throws InterruptedException {
        refusedInARow++;
        if (complaints.add(why)) {
            worker.said("tasks given back: " + why);
        }
        if (refusedInARow == 1) {
            publish(ResultStream.ofRefusal(settings.topics(), settings.name(), why));
        }
    }

    /** Waits until Kafka has it. A worker that is being stopped does not wait for a cluster that is gone. */
    private boolean publish(ProducerRecord<String, byte[]> record) throws InterruptedException {
        Future<RecordMetadata> sent = producer.send(record);
        do {
            try {
                sent.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (java.util.concurrent.TimeoutException goesOn) {
                // looked at again
            } catch (ExecutionException e) {
                worker.said("Kafka did not take a result: " + e.getCause().getMessage());
                return false;
            }
        } while (stopping.getCount() > 0);
        return false;
    }

    /** Leaves tasks that were given back to others for a while, a longer one each time. */
    private void pause() throws InterruptedException {
        long millis = Math.min(LONGEST_PAUSE.toMillis(), 1000L << Math.min(refusedInARow, 5));
        stopping.await(millis, TimeUnit.MILLISECONDS);
    }
}
