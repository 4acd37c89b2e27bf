package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.event.Topic;
import dev.warmroute.router.live.LiveRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two routers on one broker, and conversations that reach both at the same time. */
class TwoRoutersDrillTest {
    private static final List<String> SESSIONS = Drill.sessions(1000);

    @TempDir
    private Path directory;

    @Test
    void aThousandConversationsThatReachedBothAtOnceEndUpAtOneHomeEach() throws Exception {
        try (Drill drill = new Drill(directory)) {
            drill.startBroker();
            try (LiveRouter a = drill.router("a", 100_000);
                    LiveRouter b = drill.contraryRouter("b", 100_000)) {
                List<List<String>> placed = Drill.atOnce(
                        SESSIONS.stream()
                                .<Callable<List<String>>>map(s -> () -> both(drill, a, b, s))
                                .toList(),
                        8);
                long conflicts =
                        placed.stream().filter(p -> !p.get(0).equals(p.get(1))).count();
                assertThat(conflicts)
                        .as("conversations that both placed, differently")
                        .isGreaterThan(300);

                await().atMost(Duration.ofSeconds(60)).until(() -> settled(drill, a, b));
                List<String> atA = turns(drill, a, SESSIONS);
                assertThat(turns(drill, b, SESSIONS)).isEqualTo(atA);

                try (LiveRouter c = drill.router("c", 100_000)) {
                    assertThat(turns(drill, c, SESSIONS))
                            .as("a third router, started afterwards")
                            .isEqualTo(atA);
                }
            }
        }
    }

    /** The first turn of a conversation through both routers at the same time. */
    private static List<String> both(Drill drill, LiveRouter a, LiveRouter b, String session) {
        CompletableFuture<String> throughA =
                CompletableFuture.supplyAsync(() -> drill.turn(a.server().port(), session));
        String throughB = drill.turn(b.server().port(), session);
        return List.of(throughA.join(), throughB);
    }

    private static List<String> turns(Drill drill, LiveRouter router, List<String> sessions) {
        try {
            return drill.turns(router.server().port(), sessions);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Whether both have written all that they had to say, and both have read all homes that there are. */
    private static boolean settled(Drill drill, LiveRouter a, LiveRouter b) throws Exception {
        long homes = homesInKafka(drill.bootstrap());
        return a.events().buffered() == 0
                && b.events().buffered() == 0
                && a.homes().homes() == homes
                && b.homes().homes() == homes
                && homesInKafka(drill.bootstrap()) == homes;
    }

    private static long homesInKafka(String bootstrap) throws Exception {
        String topic = Topic.HOMES.name(Drill.PREFIX);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            int partitions = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size();
            Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                    .mapToObj(p -> new TopicPartition(topic, p))
                    .collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(o -> o.offset())
                    .sum();
        }
    }
}
