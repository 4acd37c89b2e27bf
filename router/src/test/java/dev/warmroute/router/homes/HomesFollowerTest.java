package dev.warmroute.router.homes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.broker.SharedBroker;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.publish.KafkaPublisher;
import dev.warmroute.router.publish.PublisherSettings;
import dev.warmroute.router.publish.Topics;
import dev.warmroute.router.publish.Unwritten;
import dev.warmroute.router.state.HomesListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomesFollowerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final String prefix = "h-" + UUID.randomUUID();

    @TempDir
    Path dataDir;

    /** What was heard, in order. */
    private static final class Heard implements HomesListener {
        private final List<Object> all = new CopyOnWriteArrayList<>();

        @Override
        public void read(Home home, long offset) {
            all.add(home);
        }

        @Override
        public void restored() {
            all.add("restored");
        }

        @Override
        public void sweep() {}
    }

    private void createTopics(String bootstrap) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Topics.createMissing(admin, prefix, 1, Duration.ofHours(1));
        }
    }

    private HomesFollower follower(String bootstrap, Duration patience) {
        return new HomesFollower(new HomesSettings(bootstrap, prefix, Map.of(), "5a17", patience));
    }

    private void write(String bootstrap, String salt, List<Home> homes) {
        try (KafkaPublisher publisher = KafkaPublisher.start(
                new PublisherSettings(bootstrap, prefix, 1000, Map.of()), "router-" + salt, 42, salt)) {
            homes.forEach(home -> publisher.publish(router -> home));
            assertThat(publisher.close(SOON)).isEqualTo(Unwritten.NOTHING);
        }
    }

    private static Home home(int i) {
        return new Home(
                "s" + i, "m@x", "r" + i, i + 1, "a", 1000 + i, i % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(i));
    }

    private static List<Home> homes(int from, int to) {
        return IntStream.range(from, to).mapToObj(HomesFollowerTest::home).toList();
    }

    @Test
    void homesAndTombstonesAreTold_thenThatTheyAreAll_thenWhatIsNew() {
        String bootstrap = SharedBroker.bootstrap();
        createTopics(bootstrap);
        write(bootstrap, "5a17", homes(0, 5));
        write(bootstrap, "5a17", List.of(Home.tombstone("s2", "m@x", "a", 7)));
        Heard heard = new Heard();
        try (HomesFollower follower = follower(bootstrap, SOON)) {
            follower.feed(heard);
            assertThat(heard.all).containsSubsequence(homes(0, 5).toArray());
            assertThat(heard.all.subList(5, 7)).containsExactly(Home.tombstone("s2", "m@x", "", 0), "restored");
            assertThat(follower.state())
                    .isEqualTo(new HomesState(true, 6, java.util.Optional.empty(), java.util.Set.of()));

            write(bootstrap, "5a17", homes(5, 6));
            await().atMost(SOON).until(() -> heard.all.size() == 8);
            assertThat(heard.all.get(7)).isEqualTo(home(5));
        }
    }

    @Test
    void homesUnderAnotherSaltAreNotSharedAndTheirRouterIsNamed() {
        String bootstrap = SharedBroker.bootstrap();
        createTopics(bootstrap);
        write(bootstrap, "0000", homes(0, 3));
        write(bootstrap, "5a17", homes(3, 4));
        Heard heard = new Heard();
        try (HomesFollower follower = follower(bootstrap, SOON)) {
            follower.feed(heard);
            assertThat(heard.all).containsExactly(home(3), "restored");
            assertThat(follower.state().otherSalts()).containsExactly("/router/router-0000");
        }
    }

    @Test
    void aStartWithoutKafkaGoesOnAndTheHomesAreReadWhenItIsBack() {
        EmbeddedBroker broker = EmbeddedBroker.start(dataDir);
        String bootstrap = broker.bootstrap();
        createTopics(bootstrap);
        write(bootstrap, "5a17", homes(0, 3));
        broker.close();
        Heard heard = new Heard();
        try (HomesFollower follower = follower(bootstrap, Duration.ofMillis(1))) {
            follower.feed(heard);
            assertThat(heard.all).isEmpty();
            assertThat(follower.state().restored()).isFalse();
            await().atMost(SOON).until(() -> follower.state().problem().isPresent());
            broker = EmbeddedBroker.start(dataDir);
            await().atMost(SOON).until(() -> heard.all.size() == 4);
            assertThat(heard.all).containsExactly(home(0), home(1), home(2), "restored");
            assertThat(follower.state().problem()).isEmpty();
        } finally {
            broker.close();
        }
    }

    @Test
    void aTopicThatIsMissingIsNamedAndReadOnceItIsMade() {
        String bootstrap = SharedBroker.bootstrap();
        Heard heard = new Heard();
        try (HomesFollower follower = follower(bootstrap, Duration.ofMillis(1))) {
            follower.feed(heard);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(follower.state().problem())
                            .hasValueSatisfying(
                                    p -> assertThat(p).contains(Topic.HOMES.name(prefix), "topics --create")));
            createTopics(bootstrap);
            await().atMost(SOON).until(() -> heard.all.equals(List.of("restored")));
        }
    }
}
