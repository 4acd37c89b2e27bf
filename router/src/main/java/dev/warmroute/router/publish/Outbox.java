package dev.warmroute.router.publish;

import dev.warmroute.router.event.Topic;
import dev.warmroute.router.publish.LostRanges.Range;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Numbered events on their way to Kafka, until each is confirmed or lost; never both, never neither. At most
 * {@code capacity} are held. One thread owns it and calls everything but {@link #stats}; Kafka's own thread brings the
 * confirmations.
 *
 * <p>The producer must not block ({@code max.block.ms=0}): what it does not take at once, because it does not know the topic
 * yet or has no memory left, waits here in a lane by topic, so that one missing topic does not stop the others.
 */
final class Outbox {
    /** A topic whose events Kafka does not take, although it takes others, may fill this part of the capacity. */
    private static final int LANE_SHARE = 4;

    private static final int MAX_RANGES = 64;
    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();
    /** A pause this long is more than a producer getting to know a topic. */
    private static final long TROUBLE_NANOS = Duration.ofMillis(300).toNanos();

    private static final long MAX_BACKOFF_NANOS = Duration.ofMillis(500).toNanos();

    private final Producer<byte[], byte[]> producer;
    private final int capacity;
    private final long maxLaneBytes;
    private final long expiryNanos;
    private final LongSupplier ticker;
    private final Thread owner;

    private final Map<Topic, Lane> lanes = new EnumMap<>(Topic.class);
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    /** Guarded by itself. */
    private final LostRanges losses = new LostRanges(MAX_RANGES);

    private volatile boolean confirmedSinceLoss;
    private volatile String lastError = "";
    /** The event that the owner is handing to the producer right now. */
    private Pending sending;

    /** Events of one topic that the producer has not taken yet, in order. */
    private static final class Lane {
        private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
        private long bytes;
        /** Pause between two attempts; 0 while the producer takes what it is given. */
        private long backoff;

        private long nextAttempt;
        /** Events that Kafka had confirmed, of any topic, when the producer began to refuse. */
        private long confirmedBefore;
    }

    private final class Pending implements Callback {
        private final ProducerRecord<byte[], byte[]> record;
        private final Topic topic;
        private final long sequence;
        private final Optional<Range> announced;
        private final long since;
        private Exception refusal;

        Pending(
                ProducerRecord<byte[], byte[]> record,
                Topic topic,
                long sequence,
                Optional<Range> announced,
                long since) {
            this.record = record;
            this.topic = topic;
            this.sequence = sequence;
            this.announced = announced;
            this.since = since;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, Exception failure) {
            // The producer reports some failures before send() returns; the event was then never taken and may be sent
            // again.
            if (failure != null && Thread.currentThread() == owner && sending == this) {
                refusal = failure;
            } else if (failure == null) {
                published.incrementAndGet();
                held.decrementAndGet();
                confirmedSinceLoss = true;
            } else {
                lose(this, reason(failure), failure.toString());
            }
        }
    }

    /**
     * @param producer takes or refuses at once
     * @param capacity events held at most
     * @param maxLaneBytes bytes that wait in each lane at most
     * @param expiry how long an event waits in a lane before it is given up
     * @param ticker nanoseconds
     * @param owner the only thread that will call this
     */
    Outbox(
            Producer<byte[], byte[]> producer,
            int capacity,
            long maxLaneBytes,
            Duration expiry,
            LongSupplier ticker,
            Thread owner) {
        this.producer = producer;
        this.capacity = capacity;
        this.maxLaneBytes = maxLaneBytes;
        this.expiryNanos = expiry.toNanos();
        this.ticker = ticker;
        this.owner = owner;
        for (Topic topic : Topic.values()) {
            lanes.put(topic, new Lane());
        }
    }

    /** Takes an event, or counts it as lost when there is no room. */
    void add(ProducerRecord<byte[], byte[]> record, Topic topic, long sequence) {
        Lane lane = lanes.get(topic);
        Pending pending = new Pending(record, topic, sequence, Optional.empty(), ticker.getAsLong());
        if (held.get() >= capacity) {
            drop(pending, "the buffer was full");
            return;
        }
        send(lane);
        if (lane.bytes >= maxLaneBytes
                || (lane.waiting.size() >= Math.max(1, capacity / LANE_SHARE) && onlyThisTopic(lane))) {
            drop(pending, "Kafka did not take events of this topic");
            return;
        }
        hold(lane, pending);
    }

    private boolean onlyThisTopic(Lane lane) {
        return published.get() > lane.confirmedBefore;
    }

    /** Takes the event that announces lost ones, room or not; when it is lost itself the range counts as lost again. */
    void addAnnouncement(ProducerRecord<byte[], byte[]> record, Topic topic, long sequence, Range announced) {
        hold(lanes.get(topic), new Pending(record, topic, sequence, Optional.of(announced), ticker.getAsLong()));
    }

    private void hold(Lane lane, Pending pending) {
        held.incrementAndGet();
        lane.waiting.addLast(pending);
        lane.bytes += bytes(pending);
        if (lane.waiting.size() == 1) {
            send(lane);
        }
    }

    /** Counts numbers as lost that were given to events which never came here. */
    void loseRun(long sequence, Topic topic, long n, String reason) {
        lost.addAndGet(n);
        synchronized (losses) {
            firstLoss();
            losses.addRun(sequence, topic, n, reason);
        }
    }

    /** Hands waiting events to the producer where it is time to try, and gives up those that waited too long. */
    void send() {
        for (Lane lane : lanes.values()) {
            if (!lane.waiting.isEmpty()) {
                send(lane);
                expire(lane);
            }
        }
    }

    private void send(Lane lane) {
        if (lane.backoff > 0 && ticker.getAsLong() - lane.nextAttempt < 0) {
            return;
        }
        while (!lane.waiting.isEmpty()) {
            Pending next = lane.waiting.peekFirst();
            Optional<Exception> refusal = trySend(next);
            if (refusal.isPresent() && !permanent(refusal.get())) {
                backOff(lane, refusal.get());
                return;
            }
            if (lane.backoff > 0) {
                lane.backoff = 0;
                // Kafka is back, so the others need not wait for the end of their pause.
                lanes.values().forEach(other -> other.nextAttempt = ticker.getAsLong());
            }
            removeFirst(lane);
            refusal.ifPresent(e -> lose(next, reason(e), e.toString()));
        }
    }

    private void backOff(Lane lane, Exception refusal) {
        if (lane.backoff >= TROUBLE_NANOS) {
            lastError = refusal.toString();
        }
        if (lane.backoff == 0) {
            lane.confirmedBefore = published.get();
        }
        lane.backoff = Math.clamp(lane.backoff * 2, MIN_BACKOFF_NANOS, MAX_BACKOFF_NANOS);
        lane.nextAttempt = ticker.getAsLong() + lane.backoff;
    }

    private void expire(Lane lane) {
        long now = ticker.getAsLong();
        while (!lane.waiting.isEmpty() && now - lane.waiting.peekFirst().since > expiryNanos) {
            lose(removeFirst(lane), "Kafka did not take it in time", lastError);
        }
    }

    private static Pending removeFirst(Lane lane) {
        Pending first = lane.waiting.removeFirst();
        lane.bytes -= bytes(first);
        return first;
    }

    private static int bytes(Pending pending) {
        byte[] value = pending.record.value();
        return value == null ? 0 : value.length;
    }

    /** Why the producer did not take it; empty when it did. */
    private Optional<Exception> trySend(Pending pending) {
        pending.refusal = null;
        sending = pending;
        try {
            producer.send(pending.record, pending);
            return Optional.ofNullable(pending.refusal);
        } catch (RuntimeException e) {
            return Optional.of(e);
        } finally {
            sending = null;
        }
    }

    private static boolean permanent(Exception e) {
        return e instanceof RecordTooLargeException
                || e instanceof InvalidTopicException
                || !(e instanceof ApiException);
    }

    private static String reason(Exception e) {
        return e instanceof TimeoutException
                ? "Kafka did not confirm it in time"
                : e.getClass().getSimpleName();
    }

    private void drop(Pending pending, String reason) {
        held.incrementAndGet();
        lose(pending, reason, reason);
    }

    private void lose(Pending pending, String reason, String error) {
        lastError = error;
        lost.incrementAndGet();
        synchronized (losses) {
            firstLoss();
            losses.add(pending.sequence, pending.topic, reason);
            pending.announced.ifPresent(losses::restore);
        }
        held.decrementAndGet();
    }

    private void firstLoss() {
        if (losses.isEmpty()) {
            confirmedSinceLoss = false;
        }
    }

    /**
     * Takes the losses, when it makes sense to announce them: Kafka has confirmed something since the first of them, or
     * nothing is under way that could show whether it would.
     */
    List<Range> takeLosses() {
        synchronized (losses) {
            return !losses.isEmpty() && (confirmedSinceLoss || held.get() == 0) ? losses.take() : List.of();
        }
    }

    /** Whether everything was confirmed, or lost and announced. */
    boolean settled() {
        synchronized (losses) {
            return held.get() == 0 && losses.isEmpty();
        }
    }

    /** Gives up what still waits here; what the producer took comes back to us when the producer is closed. */
    void abandon(String reason) {
        for (Lane lane : lanes.values()) {
            while (!lane.waiting.isEmpty()) {
                lose(removeFirst(lane), reason, reason);
            }
        }
    }

    /** Losses that were never announced, by topic. */
    Unwritten unannounced() {
        Map<Topic, Long> count = new EnumMap<>(Topic.class);
        synchronized (losses) {
            losses.take().forEach(range -> range.count().forEach((topic, n) -> count.merge(topic, n, Long::sum)));
        }
        return new Unwritten(count);
    }

    PublisherStats stats(int notYetHere) {
        String error = lastError;
        return new PublisherStats(
                published.get(),
                lost.get(),
                held.get() + notYetHere,
                error.isEmpty() ? Optional.empty() : Optional.of(error));
    }
}
