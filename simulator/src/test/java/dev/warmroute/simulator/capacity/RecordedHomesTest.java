package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;

class RecordedHomesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void sessionsAreSpreadAsTheyWereRecorded() {
        RecordedHomes homes = recorded(8, (session, turn) -> session < 6 ? 0 : session - 5);
        assertThat(homes.placement(3, 8)).hasValueSatisfying(p -> assertThat(p).containsExactly(6, 1, 1));
        assertThat(homes.placement(3, 17)).hasValueSatisfying(p -> assertThat(p).containsExactly(13, 2, 2));
    }

    @Test
    void anotherNumberOfReplicasThanRecordedSaysNothing() {
        assertThat(recorded(8, (session, turn) -> session % 4).placement(5, 8)).isEmpty();
    }

    @Test
    void sessionsThatWanderHaveNoHome() {
        assertThat(recorded(8, (session, turn) -> (session + turn) % 4).placement(4, 8))
                .isEmpty();
    }

    @Test
    void aTraceThatDoesNotSayWhereSaysNothing() {
        assertThat(recorded(8, (session, turn) -> -1).placement(4, 8)).isEmpty();
    }

    private static RecordedHomes recorded(int sessions, IntBinaryOperator replica) {
        RecordedHomes homes = new RecordedHomes();
        for (int turn = 0, index = 0; turn < 5; turn++) {
            for (int s = 0; s < sessions; s++, index++) {
                homes.add(new Turn(
                        index,
                        turn * 10 * SECOND,
                        "s" + s,
                        "",
                        turn + 1,
                        Turn.UNKNOWN,
                        Prompt.of(0, 10),
                        1,
                        Turn.freshOutput(index),
                        new Turn.Recorded(replica.applyAsInt(s, turn), Turn.UNKNOWN, Turn.UNKNOWN, SECOND)));
            }
        }
        return homes;
    }
}
