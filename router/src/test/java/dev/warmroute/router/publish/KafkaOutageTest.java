package dev.warmroute.router.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.UserError;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker goes away and comes back on the same directory and port while the router publishes. */
class KafkaOutageTest {
    private static final String PREFIX = "outage";
    private static final int BUFFER = 500;

    @TempDir
    Path dataDir;

    @Test
    void whatTheBufferHoldsSurvivesAnOutageAndTheRestIsAnnouncedExactly() {
        EmbeddedBroker broker = EmbeddedBroker.start(dataDir);
        createTopics(broker);
        try (KafkaPublisher publisher = publisher(broker, Map.of())) {
            publishAndAwait(publisher, 100, 100);
            broker.close();

            for (int i = 0; i < 3 * BUFFER; i++) {
                publish(publisher, i);
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> publisher.stats().buffered() == BUFFER);
            assertThat(publisher.stats().lost()).isEqualTo(2 * BUFFER);

            broker = EmbeddedBroker.start(dataDir);
            PublisherStats end = closeWhenAllIsTold(publisher);
            assertThat(end.lost()).isEqualTo(2 * BUFFER);
        }
        requireEveryNumberOnce(broker, 2 * BUFFER);
        broker.close();
    }

    @Test
    void eventsThatTimeOutDuringAnOutageAreAnnouncedToo() {
        EmbeddedBroker broker = EmbeddedBroker.start(dataDir);
        createTopics(broker);
        Map<String, String> impatient =
                Map.of("request.timeout.ms", "500", "delivery.timeout.ms", "1000", "reconnect.backoff.max.ms", "200");
        try (KafkaPublisher publisher = publisher(broker, impatient)) {
            publishAndAwait(publisher, 100, 100);
            broker.close();

            for (int i = 0; i < 200; i++) {
                publish(publisher, i);
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> publisher.stats().lost() >= 200);

            broker = EmbeddedBroker.start(dataDir);
            publish(publisher, 7);
            PublisherStats end = closeWhenAllIsTold(publisher);
            requireEveryNumberOnce(broker, end.lost());
        }
        broker.close();
    }

    @Test
    void aRouterThatStartsBeforeKafkaPublishesOnceItIsThere() {
        EmbeddedBroker broker = EmbeddedBroker.start(dataDir);
        createTopics(broker);
        broker.close();
        try (KafkaPublisher publisher = publisher(broker, Map.of())) {
            for (int i = 0; i < 50; i++) {
                publish(publisher, i);
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> publisher.stats().lastError().isPresent());
            assertThat(publisher.stats())
                    .isEqualTo(new PublisherStats(0, 0, 50, publisher.stats().lastError()));

            broker = EmbeddedBroker.start(dataDir);
            assertThat(publisher.close(Duration.ofSeconds(60))).isEqualTo(Unwritten.NOTHING);
        }
        requireEveryNumberOnce(broker, 0);
        broker.close();
    }

    @Test
    void closingWithoutKafkaEndsInTimeAndSaysWhatWasNotWritten() {
        EmbeddedBroker broker = EmbeddedBroker.start(dataDir);
        createTopics(broker);
        try (KafkaPublisher publisher = publisher(broker, Map.of())) {
            publishAndAwait(publisher, 10, 10);
            broker.close();
            for (int i = 0; i < 4; i++) {
                publisher.publish(router -> new PrefixCacheCleared(1, "r0", "200", router));
            }
            publisher.publish(router -> new Home("s", "m", "r0", 1, "here", 5, OptionalLong.empty()));
            assertThat(publisher.close(Duration.ofMillis(300)))
                    .isEqualTo(new Unwritten(Map.of(Topic.CONTROL, 4L, Topic.HOMES, 1L)))
                    .hasToString("4 control, 1 homes");
            assertThat(publisher.stats().buffered()).isZero();
        }
    }

    @Test
    void aNameThatCannotBeLookedUpYetDoesNotKeepTheRouterFromStarting() {
        try (KafkaPublisher publisher = KafkaPublisher.start(
                new PublisherSettings("kafka.invalid:9092", PREFIX, BUFFER, Map.of()), "here", 42, "5a17")) {
            publish(publisher, 1);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> publisher.stats().lastError().isPresent());
            assertThat(publisher.stats().buffered()).isEqualTo(1);
            assertThat(publisher.close(Duration.ofMillis(100)).total()).isEqualTo(1);
        }
    }

    @Test
    void settingsThatKafkaDoesNotUnderstandAreAUserError() {
        assertThatThrownBy(() -> KafkaPublisher.start(PublisherSettings.of("no port"), "here", 1, "5a17"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kafka.bootstrap");
        PublisherSettings wrong = new PublisherSettings("127.0.0.1:9", "t", 10, Map.of("acks", "most"));
        assertThatThrownBy(() -> KafkaPublisher.start(wrong, "here", 1, "5a17"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("acks")
                .hasMessageContaining("kafka.properties");
    }

    private static void createTopics(EmbeddedBroker broker) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            Topics.createMissing(admin, PREFIX, 2, Duration.ofHours(1));
        }
    }

    private static KafkaPublisher publisher(EmbeddedBroker broker, Map<String, String> properties) {
        return KafkaPublisher.start(
                new PublisherSettings(broker.bootstrap(), PREFIX, BUFFER, properties), "here", 42, "5a17");
    }

    private static void publish(KafkaPublisher publisher, int i) {
        publisher.publish(router -> i % 2 == 0
                ? new PrefixCacheCleared(i, "r" + i % 5, "200", router)
                : new Home("s" + i % 7, "m", "r0", i, "here", i, OptionalLong.empty()));
    }

    private static void publishAndAwait(KafkaPublisher publisher, int count, int published) {
        for (int i = 0; i < count; i++) {
            publish(publisher, i);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> publisher.stats().published() == published);
    }

    /** A publisher that is told to close goes on until everything is written, losses included. */
    private static PublisherStats closeWhenAllIsTold(KafkaPublisher publisher) {
        assertThat(publisher.close(Duration.ofSeconds(60))).isEqualTo(Unwritten.NOTHING);
        return publisher.stats();
    }

    /** Reads the topics back: each number is there, or lies in a lost range, never both. */
    private static void requireEveryNumberOnce(EmbeddedBroker broker, long lost) {
        List<WrittenEvent> written = WrittenEvent.readAll(broker.bootstrap(), PREFIX);
        Set<Long> numbers = written.stream().map(WrittenEvent::sequence).collect(Collectors.toCollection(TreeSet::new));
        assertThat(written).as("nothing was written twice").hasSameSizeAs(numbers);
        long counted = 0;
        for (WrittenEvent w : written) {
            if (w.event() instanceof EventsLost e) {
                long total =
                        e.count().values().stream().mapToLong(Long::longValue).sum();
                assertThat(e.count().keySet()).isSubsetOf("control", "homes");
                assertThat(total).isEqualTo(e.toSequence() - e.fromSequence() + 1);
                LongStream.rangeClosed(e.fromSequence(), e.toSequence())
                        .forEach(n -> assertThat(numbers.add(n))
                                .as("number %d was said to be lost", n)
                                .isTrue());
                counted += total;
            }
        }
        assertThat(counted).isEqualTo(lost);
        assertThat(numbers)
                .containsExactlyElementsOf(
                        LongStream.range(0, numbers.size()).boxed().toList());
    }
}
