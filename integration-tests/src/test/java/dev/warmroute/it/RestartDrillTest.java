package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.live.LiveRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router goes and comes back: every conversation finds its replica again. */
class RestartDrillTest {
    private static final List<String> SESSIONS = Drill.sessions(60);

    @TempDir
    private Path directory;

    @Test
    void sixtyOfSixtyConversationsKeepTheirReplicaAcrossARestart() throws Exception {
        try (Drill drill = new Drill(directory)) {
            drill.startBroker();
            List<String> before;
            try (LiveRouter router = drill.router("a", 10_000)) {
                before = drill.turns(router.server().port(), SESSIONS);
            }
            assertThat(new HashSet<>(before)).hasSize(4);
            try (LiveRouter router = drill.router("a", 10_000)) {
                assertThat(drill.turns(router.server().port(), SESSIONS)).isEqualTo(before);
            }
        }
    }

    @Test
    void aRouterThatStartsWithoutTheBrokerRoutesAndFindsItsHomesWhenItIsBack() throws Exception {
        try (Drill drill = new Drill(directory)) {
            drill.startBroker();
            List<String> before;
            try (LiveRouter router = drill.router("a", 10_000)) {
                before = drill.turns(router.server().port(), SESSIONS);
            }
            drill.stopBroker();
            try (LiveRouter router = drill.router("a", 10_000, "1ms")) {
                assertThat(router.homes().restored()).isFalse();
                assertThat(drill.turn(router.server().port(), "a new conversation"))
                        .startsWith("r");
                drill.startBroker();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> router.homes().restored());
                assertThat(drill.turns(router.server().port(), SESSIONS)).isEqualTo(before);
            }
        }
    }

    @Test
    void aRouterKilledInTheMiddleOfStreamsFindsItsHomesInTheBrokerThatDiedWithIt() throws Exception {
        String yaml = "listen: 127.0.0.1:0\nadmin: {listen: 127.0.0.1:0}";
        try (Drill drill = new Drill(directory)) {
            List<String> before;
            try (RouterProcess router = RouterProcess.start(directory, drill.yaml("a", yaml))) {
                before = drill.turns(router.port(), SESSIONS);
                for (int i = 0; i < 10; i++) {
                    drill.beginStream(router.port(), SESSIONS.get(i));
                }
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> status(drill, router)
                                        .path("kafka")
                                        .path("events")
                                        .path("buffered")
                                        .asInt()
                                == 0);
                router.kill();
            }
            try (RouterProcess router = RouterProcess.start(directory, drill.yaml("a", yaml))) {
                List<String> after = drill.turns(router.port(), SESSIONS);
                List<Integer> moved = new ArrayList<>(IntStream.range(0, SESSIONS.size())
                        .filter(i -> !after.get(i).equals(before.get(i)))
                        .boxed()
                        .toList());
                assertThat(moved).as("conversations that changed their replica").isEmpty();
                JsonNode replicas = status(drill, router).path("models").path(0).path("replicas");
                assertThat(sum(replicas, "sticky")).isEqualTo(SESSIONS.size());
                assertThat(sum(replicas, "placed")).isZero();
            }
        }
    }

    private static JsonNode status(Drill drill, RouterProcess router) throws Exception {
        return new ObjectMapper().readTree(drill.get(router.admin("/warmroute/status")));
    }

    private static int sum(JsonNode replicas, String kind) {
        int sum = 0;
        for (JsonNode r : replicas) {
            sum += r.path("decisions").path(kind).asInt();
        }
        return sum;
    }
}
