package dev.warmroute.router.publish;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.publish.LostRanges.Range;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the router's events to Kafka. {@link #publish} puts an event in a queue and returns; one thread numbers, builds and
 * sends. While Kafka is away events are held up to {@link PublisherSettings#buffer}; what is lost beyond that, or because it
 * was not confirmed in time, is announced as {@code events.lost} once Kafka confirms again. Every number of the sequence is
 * either that of an event in Kafka or lies in the range of an {@code events.lost}; an event that Kafka wrote without the
 * confirmation arriving in time can be both.
 */
public final class KafkaPublisher implements EventSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);
    private static final int BATCH = 512;
    private static final int MEMORY_BYTES = 64 << 20;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final long ANNOUNCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Events are taken in rounds: waking up for each of them would cost the data path more than building it. */
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String instance;
    private final long epoch;
    private final InstantSource clock;
    private final int capacity;
    /** Waiting events that end the pause between two rounds. */
    private final int early;

    private final Producer<byte[], byte[]> producer;
    private final EventRecords records;
    private final Outbox outbox;
    private final Thread thread;

    private final Queue<Function<RouterIdentity, ? extends Event>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    /** Events that found the queue full and have no number yet, by topic. */
    private final AtomicLongArray rejected = new AtomicLongArray(Topic.values().length);

    private volatile boolean closing;
    private volatile long closeDeadline;
    private long sequence;
    private long lastAnnounced = System.nanoTime() - ANNOUNCE_NANOS;

    /**
     * Starts a publisher. Kafka need not be there yet.
     *
     * @param instance name of this router
     * @param epoch start of this process, milliseconds since the epoch
     * @param saltId id of the salt behind all hashes
     * @throws UserError if the settings are not ones that Kafka understands
     */
    public static KafkaPublisher start(PublisherSettings settings, String instance, long epoch, String saltId) {
        try {
            Map<String, Object> config = producerConfig(settings);
            Duration expiry = Duration.ofMillis(Long.parseLong(
                    config.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG).toString()));
            return new KafkaPublisher(
                    settings,
                    new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()),
                    expiry,
                    instance,
                    epoch,
                    saltId,
                    InstantSource.system());
        } catch (KafkaException | NumberFormatException e) {
            String why = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
            throw new UserError("kafka: " + why + "; check kafka.bootstrap and kafka.properties", e);
        }
    }

    KafkaPublisher(
            PublisherSettings settings,
            Producer<byte[], byte[]> producer,
            Duration expiry,
            String instance,
            long epoch,
            String saltId,
            InstantSource clock) {
        this.instance = instance;
        this.epoch = epoch;
        this.clock = clock;
        this.capacity = settings.buffer();
        this.early = Math.min(BATCH, (capacity + 1) / 2);
        this.producer = producer;
        this.records = new EventRecords(settings.prefix(), saltId);
        this.thread = Thread.ofPlatform().daemon().name("events-publisher").unstarted(this::run);
        this.outbox = new Outbox(producer, capacity, MEMORY_BYTES, expiry, System::nanoTime, thread);
        thread.start();
    }

    static Map<String, Object> producerConfig(PublisherSettings settings) {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        config.put(ProducerConfig.LINGER_MS_CONFIG, "25");
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(64 << 10));
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(MEMORY_BYTES));
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "15000");
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "120000");
        config.put(ProducerConfig.CLIENT_ID_CONFIG, "warmroute-router");
        // A name that cannot be looked up yet, as of a cluster that is down, is looked up until it can.
        config.put("bootstrap.resolve.timeout.ms", Long.toString(TimeUnit.DAYS.toMillis(365)));
        config.putAll(settings.properties());
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrap());
        // The outbox relies on it: what cannot be taken at once is refused at once.
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
        // A partition that is just coming up, or has forgotten this producer, may refuse one batch and take the next,
        // because
        // any number may be the first that it sees; the refused one is then out of order for ever: late, and lost in
        // the end.
        config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        return config;
    }

    @Override
    public void publish(Function<RouterIdentity, ? extends Event> event) {
        if (closing) {
            return;
        }
        int waiting = queued.incrementAndGet();
        if (waiting <= capacity) {
            queue.add(event);
            if (waiting == early) {
                LockSupport.unpark(thread);
            }
            return;
        }
        queued.decrementAndGet();
        // The thread cannot keep up. Only the event knows which topic it is missed in; building it here also slows the
        // flood.
        try {
            rejected.incrementAndGet(
                    EventType.of(event.apply(identity(-1))).topic().ordinal());
        } catch (RuntimeException e) {
            broken(e);
        }
    }

    /** What became of the events so far. */
    public PublisherStats stats() {
        return outbox.stats(queued.get());
    }

    /** Closes within ten seconds. */
    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Takes no more events, writes what was taken, and gives up what is not written in time.
     *
     * @return what could be neither written nor announced as lost
     */
    public Unwritten close(Duration timeout) {
        if (!closing) {
            closeDeadline = System.nanoTime() + timeout.toNanos();
            closing = true;
            LockSupport.unpark(thread);
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Unwritten unwritten = outbox.unannounced();
        if (unwritten.total() > 0) {
            LOG.warn("events that were not written: {}", unwritten);
        }
        return unwritten;
    }

    private void run() {
        while (!finished()) {
            boolean more = false;
            try {
                more = takeQueued() == BATCH;
                outbox.send();
                numberRejected();
                announceLosses();
            } catch (RuntimeException e) {
                LOG.error("the events publisher stumbled and goes on", e);
            }
            if (!more) {
                LockSupport.parkNanos(this, ROUND_NANOS);
            }
        }
        giveUpTheRest();
    }

    private boolean finished() {
        return closing
                && (System.nanoTime() - closeDeadline >= 0
                        || (queued.get() == 0 && !anyRejected() && outbox.settled()));
    }

    /** Numbers and builds what is queued; returns how many events, at most {@link #BATCH}. */
    private int takeQueued() {
        int taken = 0;
        Function<RouterIdentity, ? extends Event> event;
        while (taken < BATCH && (event = queue.poll()) != null) {
            taken++;
            number(event);
            queued.decrementAndGet();
        }
        return taken;
    }

    /** An event that cannot be built leaves no gap: its number goes to the next one. */
    private void number(Function<RouterIdentity, ? extends Event> builder) {
        try {
            RouterIdentity identity = identity(sequence);
            Event event = builder.apply(identity);
            var record = records.record(event, identity, clock.instant().toString());
            sequence++;
            outbox.add(record, EventType.of(event).topic(), identity.sequence());
        } catch (RuntimeException e) {
            broken(e);
        }
    }

    private void numberRejected() {
        for (Topic topic : Topic.values()) {
            long n = rejected.getAndSet(topic.ordinal(), 0);
            if (n > 0) {
                outbox.loseRun(sequence, topic, n, "the router had no time to write it");
                sequence += n;
            }
        }
    }

    private boolean anyRejected() {
        for (int i = 0; i < rejected.length(); i++) {
            if (rejected.get(i) > 0) {
                return true;
            }
        }
        return false;
    }

    private void announceLosses() {
        long now = System.nanoTime();
        if (!closing && now - lastAnnounced < ANNOUNCE_NANOS) {
            return;
        }
        List<Range> losses = outbox.takeLosses();
        if (losses.isEmpty()) {
            return;
        }
        lastAnnounced = now;
        Instant at = clock.instant();
        long atUs = TimeUnit.SECONDS.toMicros(at.getEpochSecond()) + at.getNano() / 1000;
        LOG.warn(
                "events that Kafka will never have: {} ({})",
                losses.stream().mapToLong(Range::total).sum(),
                losses.getLast().reason());
        for (Range range : losses) {
            Map<String, Long> count = new TreeMap<>();
            range.count().forEach((topic, n) -> count.put(topic.shortName(), n));
            RouterIdentity identity = identity(sequence++);
            Event event = new ControlEvent.EventsLost(atUs, range.from(), range.to(), count, range.reason(), identity);
            outbox.addAnnouncement(
                    records.record(event, identity, at.toString()), Topic.CONTROL, identity.sequence(), range);
        }
    }

    private void giveUpTheRest() {
        while (takeQueued() > 0) {
            // numbered, so that they count as lost
        }
        numberRejected();
        outbox.abandon("the router stopped");
        producer.close(Duration.ZERO);
    }

    private RouterIdentity identity(long number) {
        return new RouterIdentity(instance, epoch, number);
    }

    private static void broken(RuntimeException e) {
        LOG.error("an event could not be built and is missing", e);
    }
}
