package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.engine.EngineConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SerialReplayTest {
    private List<Turn> conversation;
    private SessionIndex sessions;

    @BeforeAll
    void read() {
        conversation = TraceSource.read("mooncake:" + Data.file("mooncake/conversation_trace.jsonl"))
                .turns();
        sessions = SessionIndex.of(conversation);
    }

    @ParameterizedTest
    @CsvSource({
        "1,  1000,  6649856", "1,  2048,  8197632", "1,  4000, 13312000", "1,  8192, 27843072", "1, 32768, 50156544",
        "8,  1000,  9158656", "8,  2048, 12043776", "8,  4000, 14625792", "8,  8192, 18443264", "8, 32768, 20120064"
    })
    void cachedTokensAreExactForRoundRobin(int replicas, int usableBlocks, long cachedTokens) {
        assertThat(cached(replicas, EngineConfig.defaults().withBlockSize(512).withUsableBlocks(usableBlocks)))
                .isEqualTo(cachedTokens);
    }

    @ParameterizedTest
    @CsvSource({"1, 54063104", "4, 28308480", "8, 20120064"})
    void cachedTokensAreExactWithoutLimit(int replicas, long cachedTokens) {
        assertThat(cached(replicas, EngineConfig.defaults().withBlockSize(512))).isEqualTo(cachedTokens);
    }

    @Test
    void sessionsStayHomeAndRequestsThatCannotFitAreCounted() {
        List<Turn> turns = List.of(
                turn(0, "a", 0, 40),
                turn(1, "b", 1000, 40),
                turn(2, "a", 0, 60),
                turn(3, "b", 1000, 500),
                turn(4, "", 5000, 20));
        Outcome outcome = SerialReplay.run(
                turns,
                SessionIndex.of(turns),
                2,
                EngineConfig.defaults().withUsableBlocks(20),
                policy("warden"),
                new Seeds(1));
        RequestLog log = outcome.requests();
        assertThat(log.kind(0)).isEqualTo(Kind.PLACED);
        assertThat(log.kind(2)).isEqualTo(Kind.STICKY);
        assertThat(log.replica(2)).isEqualTo(log.replica(0)).isNotEqualTo(log.replica(1));
        assertThat(log.cachedTokens(2)).isEqualTo(32);
        assertThat(outcome.refused()).isEqualTo(1);
        assertThat(log.wasAdmitted(3)).isFalse();
        assertThat(log.kind(4)).isEqualTo(Kind.BALANCED);
        assertThat(outcome.randomised()).isFalse();
    }

    private long cached(int replicas, EngineConfig engine) {
        Outcome outcome =
                SerialReplay.run(conversation, sessions, replicas, engine, policy("round_robin"), new Seeds(1));
        RequestLog log = outcome.requests();
        long sum = 0;
        for (int r = 0; r < log.size(); r++) {
            sum += log.cachedTokens(r);
        }
        return sum;
    }

    private static RoutingPolicy policy(String name) {
        return Policies.create(name, Map.of(), 32);
    }

    private static Turn turn(int index, String session, long start, int tokens) {
        return new Turn(
                index,
                index,
                session,
                "",
                session.isEmpty() ? 0 : 1,
                Turn.UNKNOWN,
                Prompt.of(start, tokens),
                1,
                Turn.freshOutput(index),
                Turn.Recorded.NOTHING);
    }
}
