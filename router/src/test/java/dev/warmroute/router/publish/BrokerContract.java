package dev.warmroute.router.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.ControlEvent.RouterStopped;
import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventExamples;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What warmroute expects of a Kafka broker, run against every kind of broker that it supports. */
abstract class BrokerContract {
    private static final String SALT_ID = "5a17";

    private final String prefix = "t-" + UUID.randomUUID();
    private Admin admin;

    abstract String bootstrap();

    @BeforeEach
    void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap()));
    }

    @AfterEach
    void disconnect() {
        admin.close();
    }

    @Test
    void missingTopicsAreCreatedOnceWithPartitionsAndRetention() throws Exception {
        assertThat(Topics.createMissing(admin, prefix, 3, Duration.ofHours(5)))
                .containsExactly(
                        prefix + ".decisions",
                        prefix + ".requests",
                        prefix + ".counters",
                        prefix + ".control",
                        prefix + ".prompts",
                        prefix + ".homes");
        assertThat(Topics.createMissing(admin, prefix, 7, Duration.ofHours(1))).isEmpty();

        assertThat(admin.describeTopics(List.of(prefix + ".decisions", prefix + ".homes"))
                        .allTopicNames()
                        .get()
                        .values())
                .allSatisfy(topic -> assertThat(topic.partitions()).hasSize(3));
        assertThat(config(Topic.DECISIONS, "retention.ms")).isEqualTo("18000000");
        assertThat(config(Topic.DECISIONS, "cleanup.policy")).isEqualTo("delete");
        assertThat(config(Topic.HOMES, "cleanup.policy")).isEqualTo("compact");
    }

    @Test
    void onlyTheMissingTopicsAreCreated() throws Exception {
        admin.createTopics(List.of(new NewTopic(prefix + ".decisions", 1, (short) 1)))
                .all()
                .get();
        assertThat(Topics.createMissing(admin, prefix, 2, Duration.ofHours(1)))
                .hasSize(5)
                .doesNotContain(prefix + ".decisions");
    }

    @Test
    void aHomesTopicThatWouldForgetHomesIsRefused() throws Exception {
        admin.createTopics(List.of(new NewTopic(prefix + ".homes", 1, (short) 1)))
                .all()
                .get();
        assertThatThrownBy(() -> Topics.createMissing(admin, prefix, 1, Duration.ofHours(1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(prefix + ".homes has cleanup.policy=delete")
                .hasMessageContaining("compact");
    }

    @Test
    void everyEventTypeArrivesWithItsKeyHeadersAndValue() {
        Topics.createMissing(admin, prefix, 2, Duration.ofHours(1));
        List<Event> sent = new ArrayList<>();
        try (KafkaPublisher publisher = publisher()) {
            for (EventType type : EventType.values()) {
                publisher.publish(router -> {
                    Event event = EventExamples.of(type, router);
                    sent.add(event);
                    return event;
                });
            }
            assertThat(publisher.close(Duration.ofSeconds(30))).isEqualTo(Unwritten.NOTHING);
            assertThat(publisher.stats())
                    .isEqualTo(new PublisherStats(
                            EventType.values().length, 0, 0, publisher.stats().lastError()));
        }
        List<WrittenEvent> written = WrittenEvent.readAll(bootstrap(), prefix);
        assertThat(written).hasSameSizeAs(sent).allSatisfy(w -> {
            Event event = sent.get((int) w.sequence());
            RouterIdentity router = new RouterIdentity("here", 42, w.sequence());
            Envelope envelope = Envelope.of(event, router, SALT_ID, w.headers().get("ce_time"));
            assertThat(w.headers()).isEqualTo(envelope.headers());
            assertThat(w.key()).isEqualTo(event.key().isEmpty() ? Optional.empty() : Optional.of(event.key()));
            assertThat(w.event()).isEqualTo(event);
            assertThat(w.topic()).isEqualTo(EventType.of(event).topic());
        });
    }

    @Test
    void sequenceNumbersHaveNoGapsAndEachThreadKeepsItsOrder() throws Exception {
        Topics.createMissing(admin, prefix, 3, Duration.ofHours(1));
        int threads = 4;
        int each = 2500;
        try (KafkaPublisher publisher = publisher()) {
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                String name = "r" + t;
                running.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < each; i++) {
                        long at = i;
                        publisher.publish(router -> new PrefixCacheCleared(at, name, "200", router));
                    }
                }));
            }
            for (Thread thread : running) {
                thread.join();
            }
            publisher.publish(router -> new RouterStopped(0, "test", router.sequence() + 1, router));
            assertThat(publisher.close(Duration.ofSeconds(30))).isEqualTo(Unwritten.NOTHING);
        }
        List<WrittenEvent> written = WrittenEvent.readAll(bootstrap(), prefix);
        assertThat(written.stream().map(WrittenEvent::sequence).sorted())
                .containsExactlyElementsOf(
                        LongStream.range(0, threads * each + 1).boxed().toList());
        for (int t = 0; t < threads; t++) {
            String name = "r" + t;
            assertThat(written.stream()
                            .flatMap(w -> w.event() instanceof PrefixCacheCleared c
                                            && c.replica().equals(name)
                                    ? Optional.of(c.atUs()).stream()
                                    : Optional.<Long>empty().stream()))
                    .as("events of %s, all under one key", name)
                    .isSorted()
                    .hasSize(each);
        }
    }

    @Test
    void topicsMadeAfterTheRouterStartedGetItsEarlierEvents() {
        try (KafkaPublisher publisher = publisher()) {
            publisher.publish(router -> new PrefixCacheCleared(1, "r0", "200", router));
            Topics.createMissing(admin, prefix, 1, Duration.ofHours(1));
            publisher.publish(router -> new Home("s", "m", "r0", 1, "here", 5, OptionalLong.empty()));
            assertThat(publisher.close(Duration.ofSeconds(30))).isEqualTo(Unwritten.NOTHING);
        }
        assertThat(WrittenEvent.readAll(bootstrap(), prefix)).hasSize(2);
    }

    @Test
    void anEventThatCannotBeBuiltLeavesNoGap() {
        Topics.createMissing(admin, prefix, 1, Duration.ofHours(1));
        AtomicBoolean built = new AtomicBoolean();
        try (KafkaPublisher publisher = publisher()) {
            publisher.publish(router -> {
                built.set(true);
                throw new IllegalStateException("a fault in whoever builds it");
            });
            publisher.publish(router -> new PrefixCacheCleared(1, "r0", "200", router));
            assertThat(publisher.close(Duration.ofSeconds(30))).isEqualTo(Unwritten.NOTHING);
        }
        assertThat(built).isTrue();
        assertThat(WrittenEvent.readAll(bootstrap(), prefix))
                .singleElement()
                .satisfies(w -> assertThat(w.sequence()).isZero());
    }

    private KafkaPublisher publisher() {
        return KafkaPublisher.start(new PublisherSettings(bootstrap(), prefix, 100_000, Map.of()), "here", 42, SALT_ID);
    }

    private String config(Topic topic, String name) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name(prefix));
        return admin.describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .get(name)
                .value();
    }
}
