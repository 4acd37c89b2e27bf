package dev.warmroute.router.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.publish.LostRanges.Range;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final String TIME = "2026-11-30T00:00:00Z";

    private final EventRecords records = new EventRecords("t", "5a17");
    private final Map<Long, Topic> added = new TreeMap<>();
    private ScriptedProducer producer = new ScriptedProducer(false);
    private long now;
    private long sequence;
    private int announcements;

    /** A property has one instance for all its tries. */
    @BeforeTry
    void forget() {
        producer = new ScriptedProducer(false);
        added.clear();
        now = 0;
        sequence = 0;
        announcements = 0;
    }

    private Outbox outbox(int capacity) {
        return new Outbox(producer, capacity, 1 << 20, EXPIRY, () -> now, Thread.currentThread());
    }

    @Test
    void beyondTheCapacityEventsAreLostAndThoseHeldAreNot() {
        Outbox outbox = outbox(3);
        for (int i = 0; i < 5; i++) {
            add(outbox, Topic.DECISIONS);
        }
        assertThat(outbox.stats(0))
                .isEqualTo(new PublisherStats(0, 2, 3, outbox.stats(0).lastError()));
        assertThat(outbox.takeLosses()).as("Kafka has confirmed nothing yet").isEmpty();
        producer.completeNext();
        assertThat(outbox.takeLosses())
                .containsExactly(new Range(3, 4, Map.of(Topic.DECISIONS, 2L), "the buffer was full"));
        producer.completeNext();
        producer.completeNext();
        assertThat(outbox.settled()).isTrue();
    }

    @Test
    void aTopicThatKafkaDoesNotKnowTakesOnlyItsShareOfTheBuffer() {
        Outbox outbox = outbox(100);
        producer.refused.add(Topic.PROMPTS.name("t"));
        for (int i = 0; i < 40; i++) {
            add(outbox, Topic.PROMPTS);
            add(outbox, Topic.DECISIONS);
            producer.completeNext();
        }
        assertThat(producer.confirmed)
                .hasSize(40)
                .allSatisfy(r -> assertThat(r.topic()).isEqualTo("t.decisions"));
        assertThat(outbox.stats(0).lost())
                .as("its lane holds a quarter of the capacity")
                .isEqualTo(15);

        producer.refused.clear();
        now += Duration.ofSeconds(1).toNanos();
        outbox.send();
        assertThat(producer.history()).hasSize(65);
        assertThat(producer.history().stream()
                        .filter(r -> r.topic().equals("t.prompts"))
                        .map(ScriptedProducer::sequence))
                .as("in order")
                .isSorted();
    }

    @Test
    void whileKafkaIsAwayATopicMayFillTheBufferAndAllGoOnWhenItIsBack() {
        Outbox outbox = outbox(100);
        producer.refused.add(Topic.PROMPTS.name("t"));
        producer.refused.add(Topic.DECISIONS.name("t"));
        for (int i = 0; i < 80; i++) {
            add(outbox, Topic.PROMPTS);
        }
        for (int i = 0; i < 20; i++) {
            now += Duration.ofMillis(500).toNanos();
            add(outbox, Topic.DECISIONS);
        }
        assertThat(outbox.stats(0).lost()).isZero();

        producer.refused.clear();
        now += Duration.ofMillis(500).toNanos();
        outbox.send();
        outbox.send();
        assertThat(producer.history())
                .as("no topic waits for the end of its own pause")
                .hasSize(100);
    }

    @Test
    void anEventThatKafkaDoesNotTakeInTimeIsLost() {
        Outbox outbox = outbox(100);
        producer.refused.add(Topic.PROMPTS.name("t"));
        add(outbox, Topic.PROMPTS);
        for (int i = 0; i < EXPIRY.toSeconds(); i++) {
            now += Duration.ofSeconds(1).toNanos();
            outbox.send();
        }
        assertThat(outbox.stats(0).lost()).isZero();
        now += Duration.ofSeconds(1).toNanos();
        outbox.send();
        assertThat(outbox.stats(0).lost()).isEqualTo(1);
        assertThat(outbox.stats(0).lastError())
                .hasValueSatisfying(e -> assertThat(e).contains("t.prompts not present"));
    }

    @Test
    void anEventThatIsTooLargeIsLostAtOnceAndNotTriedAgain() {
        Outbox outbox = outbox(100);
        producer.sendException = new RecordTooLargeException("2 MB");
        add(outbox, Topic.DECISIONS);
        producer.sendException = null;
        outbox.send();
        assertThat(producer.history()).isEmpty();
        assertThat(outbox.takeLosses())
                .containsExactly(new Range(0, 0, Map.of(Topic.DECISIONS, 1L), "RecordTooLargeException"));
    }

    @Test
    void aLostAnnouncementIsAnnouncedAgainAndCountsItself() {
        Outbox outbox = outbox(1);
        add(outbox, Topic.DECISIONS);
        add(outbox, Topic.DECISIONS);
        producer.completeNext();
        announce(outbox);
        producer.errorNext(new TimeoutException());
        assertThat(outbox.takeLosses())
                .containsExactly(new Range(
                        1,
                        2,
                        Map.of(Topic.DECISIONS, 1L, Topic.CONTROL, 1L),
                        "Kafka did not confirm it in time; the buffer was full"));
    }

    @Test
    void whatIsAbandonedIsUnwritten() {
        Outbox outbox = outbox(8);
        producer.refused.add(Topic.PROMPTS.name("t"));
        add(outbox, Topic.PROMPTS);
        add(outbox, Topic.PROMPTS);
        add(outbox, Topic.DECISIONS);
        outbox.abandon("the router stopped");
        producer.errorNext(new TimeoutException());
        assertThat(outbox.unannounced()).hasToString("1 decisions, 2 prompts");
        assertThat(outbox.settled()).isTrue();
    }

    /**
     * Whatever Kafka does, in the end every number was confirmed or lies in the range of a confirmed announcement, and the
     * announced counts add up to exactly the numbers that were not confirmed.
     */
    @Property(tries = 500)
    void everyNumberIsConfirmedOrAnnouncedAsLost(
            @ForAll @Size(max = 300) List<@IntRange(max = 99) Integer> script,
            @ForAll @IntRange(min = 1, max = 30) int capacity) {
        Outbox outbox = outbox(capacity);
        long most = 0;
        for (int step : script) {
            if (step < 40) {
                add(outbox, Topic.values()[step % 5]);
            } else if (step < 55) {
                producer.completeNext();
            } else if (step < 65) {
                producer.errorNext(new TimeoutException("expired"));
            } else if (step < 70) {
                producer.refused.add(Topic.values()[step % 5].name("t"));
            } else if (step < 75) {
                producer.refused.remove(Topic.values()[step % 5].name("t"));
            } else if (step < 80) {
                now += Duration.ofSeconds(step % 2 == 0 ? 1 : 40).toNanos();
            } else if (step < 85) {
                outbox.loseRun(sequence, Topic.REQUESTS, step % 4 + 1, "no time");
                for (int i = 0; i <= step % 4; i++) {
                    added.put(sequence++, Topic.REQUESTS);
                }
            } else if (step < 92) {
                announce(outbox);
            } else {
                outbox.send();
            }
            most = Math.max(most, outbox.stats(0).buffered());
        }
        assertThat(most).as("held at once").isLessThanOrEqualTo(capacity + (long) announcements);
        producer.refused.clear();
        for (int round = 0; !outbox.settled(); round++) {
            assertThat(round).as("rounds after Kafka is well again").isLessThan(10);
            now += Duration.ofSeconds(1).toNanos();
            outbox.send();
            while (producer.completeNext()) {
                // everything under way is confirmed
            }
            announce(outbox);
        }

        Map<Topic, Long> expected = new HashMap<>();
        Set<Long> confirmed = new TreeSet<>();
        producer.confirmed.forEach(r -> assertThat(confirmed.add(ScriptedProducer.sequence(r)))
                .as("written once")
                .isTrue());
        added.forEach((number, topic) -> {
            if (!confirmed.contains(number)) {
                expected.merge(topic, 1L, Long::sum);
            }
        });
        List<EventsLost> announced =
                producer.confirmed.stream().flatMap(r -> lost(r).stream()).toList();
        Map<Topic, Long> counted = new HashMap<>();
        announced.forEach(e -> e.count().forEach((topic, n) -> counted.merge(topicNamed(topic), n, Long::sum)));
        assertThat(counted).isEqualTo(expected);
        assertThat(added.keySet())
                .allMatch(n -> confirmed.contains(n)
                        || announced.stream().anyMatch(e -> e.fromSequence() <= n && n <= e.toSequence()));
        PublisherStats stats = outbox.stats(0);
        assertThat(stats.published()).isEqualTo(confirmed.size());
        assertThat(stats.lost()).isEqualTo(added.size() - confirmed.size());
        assertThat(stats.buffered()).isZero();
    }

    private void add(Outbox outbox, Topic topic) {
        outbox.add(record(topic, new PrefixCacheCleared(1, "r0", "200", identity(sequence))), topic, sequence);
        added.put(sequence++, topic);
    }

    private void announce(Outbox outbox) {
        for (Range range : outbox.takeLosses()) {
            Map<String, Long> count = new HashMap<>();
            range.count().forEach((topic, n) -> count.put(topic.shortName(), n));
            Event event = new EventsLost(1, range.from(), range.to(), count, range.reason(), identity(sequence));
            outbox.addAnnouncement(record(Topic.CONTROL, event), Topic.CONTROL, sequence, range);
            added.put(sequence++, Topic.CONTROL);
            announcements++;
        }
    }

    /** The record of an event, on a topic of our choice. */
    private ProducerRecord<byte[], byte[]> record(Topic topic, Event event) {
        ProducerRecord<byte[], byte[]> r = records.record(event, identity(sequence), TIME);
        return new ProducerRecord<>(topic.name("t"), null, r.key(), r.value(), r.headers());
    }

    private static RouterIdentity identity(long number) {
        return new RouterIdentity("here", 7, number);
    }

    private static List<EventsLost> lost(ProducerRecord<byte[], byte[]> record) {
        EventType type = EventType.named(ScriptedProducer.header(record, "ce_type"));
        return type == EventType.EVENTS_LOST
                ? List.of((EventsLost) new EventCodec().decode(type, record.value()))
                : List.of();
    }

    private static Topic topicNamed(String shortName) {
        return List.of(Topic.values()).stream()
                .filter(t -> t.shortName().equals(shortName))
                .findAny()
                .orElseThrow();
    }
}
