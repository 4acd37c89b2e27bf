package dev.warmroute.router.homes;

import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.state.HomesListener;
import dev.warmroute.router.state.HomesSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the homes topic from its beginning to its end, and then on as it grows, on a thread of its own. Whatever Kafka does,
 * requests are routed: a start waits for the homes for a while and goes on without them, and what cannot be read now is read
 * when it can be.
 */
public final class HomesFollower implements HomesSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HomesFollower.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LEAVE = Duration.ofSeconds(1);
    private static final long SWEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final HomesSettings settings;
    private final EventCodec codec = new EventCodec();
    private final Thread thread = Thread.ofPlatform().daemon().name("homes").unstarted(this::run);
    private final CountDownLatch told = new CountDownLatch(1);
    private final AtomicLong homes = new AtomicLong();
    private final Set<String> otherSalts = ConcurrentHashMap.newKeySet();
    /** Where to read on; kept when the connection has to be made anew. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    private HomesListener listener;
    private volatile Optional<String> problem = Optional.empty();
    private final CountDownLatch stopped = new CountDownLatch(1);
    /** The consumer in use, if any: woken, not interrupted, since an interrupted one cannot take its leave of the broker. */
    private volatile Optional<KafkaConsumer<byte[], byte[]>> reading = Optional.empty();

    private volatile boolean closed;
    private long sweptAt = System.nanoTime();

    public HomesFollower(HomesSettings settings) {
        this.settings = settings;
    }

    @Override
    public void feed(HomesListener hears) {
        listener = hears;
        thread.start();
        try {
            if (!told.await(settings.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn(
                        "the homes of conversations are not there yet ({}); requests are routed without them until they are",
                        problem.orElse("Kafka has not told them all"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public HomesState state() {
        return new HomesState(told.getCount() == 0, homes.get(), problem, otherSalts);
    }

    private void run() {
        while (!closed) {
            try {
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config());
                try {
                    reading = Optional.of(consumer);
                    if (!closed) {
                        follow(consumer);
                    }
                } finally {
                    reading = Optional.empty();
                    consumer.close(CloseOptions.timeout(LEAVE));
                }
            } catch (WakeupException e) {
                // being closed
            } catch (KafkaException e) {
                trouble(e.getMessage());
                pause();
            } catch (RuntimeException e) {
                LOG.error("reading the homes of conversations stumbled and begins again", e);
                pause();
            }
        }
    }

    private Map<String, Object> config() {
        Map<String, Object> config = new HashMap<>(settings.properties());
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrap());
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, "warmroute-homes");
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 << 20);
        return config;
    }

    private void follow(KafkaConsumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = partitions(consumer);
        consumer.assign(partitions);
        for (TopicPartition p : partitions) {
            if (positions.containsKey(p)) {
                consumer.seek(p, positions.get(p));
            } else {
                consumer.seekToBeginning(List.of(p));
            }
        }
        Map<TopicPartition, Long> toRestore =
                told.getCount() == 0 ? Map.of() : new HashMap<>(consumer.endOffsets(partitions, ANSWER));
        wellAgain();
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                read(record);
                positions.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
            }
            toRestore.entrySet().removeIf(end -> consumer.position(end.getKey(), ANSWER) >= end.getValue());
            if (toRestore.isEmpty() && told.getCount() > 0) {
                listener.restored();
                told.countDown();
                LOG.info("{} records of conversations' homes read from topic {}", homes.get(), settings.topic());
            }
            sweep();
        }
    }

    private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        while (true) {
            List<TopicPartition> partitions = consumer.partitionsFor(settings.topic(), ANSWER).stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            if (!partitions.isEmpty()) {
                return partitions;
            }
            trouble("there is no topic " + settings.topic() + "; make it with 'warmroute topics --create'");
            pause();
            if (closed) {
                throw new WakeupException();
            }
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        Header salt = record.headers().lastHeader(Envelope.SALT_ID);
        if (record.key() == null || salt == null) {
            return; // not a router's
        }
        if (!text(salt.value()).equals(settings.saltId())) {
            stranger(record);
            return;
        }
        try {
            Home home = record.value() == null
                    ? Home.tombstone(text(record.key()))
                    : (Home) codec.decode(EventType.HOME, record.value());
            listener.read(home, record.offset());
            homes.incrementAndGet();
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "topic {}, partition {}, offset {}: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
        }
    }

    private void stranger(ConsumerRecord<byte[], byte[]> record) {
        Header source = record.headers().lastHeader("ce_source");
        String router = source == null ? "a router" : text(source.value());
        if (otherSalts.add(router)) {
            LOG.warn(
                    "{} writes homes to topic {} under another salt: no home is shared with it; give both routers the same"
                            + " salt_file, or another kafka.prefix each",
                    router,
                    settings.topic());
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        if (now - sweptAt >= SWEEP_NANOS) {
            sweptAt = now;
            listener.sweep();
        }
    }

    private void trouble(String why) {
        if (problem.isEmpty() && !closed) {
            LOG.warn("the homes of conversations cannot be read: {}", why);
        }
        problem = Optional.of(why);
    }

    private void wellAgain() {
        if (problem.isPresent()) {
            LOG.info("the homes of conversations can be read");
        }
        problem = Optional.empty();
    }

    private void pause() {
        try {
            stopped.await(RETRY.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Stops reading. */
    @Override
    public void close() {
        closed = true;
        stopped.countDown();
        reading.ifPresent(KafkaConsumer::wakeup);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
