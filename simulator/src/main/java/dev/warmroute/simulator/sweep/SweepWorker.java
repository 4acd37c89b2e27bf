package dev.warmroute.simulator.sweep;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Takes tasks of sweeps, one for each of its threads at a time, and publishes their results, until it is stopped. */
public final class SweepWorker {
    /** Longest wait for a cluster that does not answer, when stopped. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Settings settings;
    private final Listener listener;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicInteger computed = new AtomicInteger();

    /**
     * Settings of a worker.
     *
     * @param name by which its results and complaints are known; unique
     * @param program version and build of warmroute
     * @param threads tasks at the same time
     * @param traces arguments that name traces here, for sweeps that call them something else
     */
    public record Settings(
            KafkaAccess access, SweepTopics topics, String name, String program, int threads, List<String> traces) {
        public Settings {
            Objects.requireNonNull(access, "access");
            Objects.requireNonNull(topics, "topics");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(program, "program");
            traces = List.copyOf(traces);
            if (threads < 1) {
                throw new UserError("threads must be at least 1, not " + threads);
            }
        }
    }

    /** Hears what a worker does; called from several threads. */
    public interface Listener {
        /** It takes tasks from now on. */
        void ready();

        /** @param scenarios computed so far */
        void computed(int scenarios);

        /** A line for a person: something is not as it should be. */
        void said(String line);
    }

    public SweepWorker(Settings settings, Listener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Works until {@link #stop}; tasks in hand are then given back.
     *
     * @return scenarios computed
     * @throws UserError if Kafka does not let it
     */
    public int run() {
        WorkerSubjects subjects = new WorkerSubjects(settings.program(), settings.traces());
        try (Admin admin = Admin.create(SweepTopics.client(settings.access()))) {
            settings.topics().prepare(admin);
        } catch (KafkaException e) {
            throw new UserError("Kafka at " + settings.access().bootstrap() + ": " + e.getMessage(), e);
        }
        Map<String, Object> producing = SweepTopics.client(settings.access());
        producing.put(ProducerConfig.ACKS_CONFIG, "all");
        producing.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        ExecutorService threads = Executors.newFixedThreadPool(settings.threads());
        KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(producing, new StringSerializer(), new ByteArraySerializer());
        try {
            List<Future<?>> working = new ArrayList<>();
            for (int t = 0; t < settings.threads(); t++) {
                working.add(threads.submit(new WorkerThread(settings, subjects, producer, stopping, this, t)));
            }
            listener.ready();
            for (Future<?> thread : working) {
                await(thread);
            }
        } finally {
            stop();
            threads.shutdown();
            producer.close(CLOSING);
        }
        return computed.get();
    }

    private static void await(Future<?> thread) {
        try {
            thread.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UserError known) {
                throw known;
            }
            throw new IllegalStateException("a worker's thread failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void computedOne() {
        listener.computed(computed.incrementAndGet());
    }

    void said(String line) {
        listener.said(line);
    }

    /** Asks {@link #run} to return, from any thread. */
    public void stop() {
        stopping.countDown();
    }
}
