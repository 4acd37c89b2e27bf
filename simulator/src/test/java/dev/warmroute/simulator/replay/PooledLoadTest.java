package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PooledLoadTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SHARED = 64;

    /** Two recorded sessions of two turns: a shared system prompt, an own message, the answer and another message. */
    private static List<Turn> recording() {
        List<Turn> turns = new ArrayList<>();
        for (int session = 0; session < 2; session++) {
            long own = 1000L * (session + 1);
            Prompt first = Prompt.builder().span(0, SHARED).span(own, 100).build();
            Prompt second = Prompt.builder()
                    .all(first)
                    .span(own + 500, 20)
                    .span(own + 700, 40)
                    .build();
            turns.add(new Turn(
                    2 * session,
                    session * SECOND,
                    "s" + session,
                    "",
                    1,
                    Turn.UNKNOWN,
                    first,
                    20,
                    own + 500,
                    new Turn.Recorded(session, 0, SECOND, SECOND)));
            turns.add(new Turn(
                    2 * session + 1,
                    session * SECOND + 3 * SECOND,
                    "s" + session,
                    "",
                    2,
                    2 * SECOND,
                    second,
                    10,
                    own + 900,
                    new Turn.Recorded(session, 0, SECOND, SECOND)));
        }
        return turns;
    }

    private static SessionPool pool() {
        return SessionPool.of(List.of(recording()), s -> s.size() == 2);
    }

    private static RequestLog run(PooledLoad load) {
        FleetSpec fleet = new FleetSpec(
                1,
                EngineConfig.defaults(),
                AffineLaw.ofSeconds(0.01, 0, 0, 0, 0),
                FrontendDelay.NONE,
                SharedHost.NONE,
                0,
                SECOND);
        return FleetReplay.run(load, fleet, Policies.create("round_robin", Map.of(), 8), new Seeds(1), Progress.NONE)
                .requests();
    }

    @Test
    void sessionsMadeFromOneShareWhatRecordedOnesShareAndTheirOwnHistory() {
        SessionPool pool = pool();
        Turn a = pool.turn(0, 1, 7, 0, 0);
        Turn b = pool.turn(0, 1, 8, 1, 0);
        assertThat(a.prompt().tokens()).isEqualTo(SHARED + 100 + 20 + 40);
        assertThat(a.prompt().commonPrefix(b.prompt())).isEqualTo(SHARED);
        Turn before = pool.turn(0, 0, 7, 2, 0);
        Prompt history = Prompt.builder()
                .all(before.prompt())
                .span(before.outputStart(), before.outputTokens())
                .build();
        assertThat(a.prompt().commonPrefix(history)).isEqualTo(SHARED + 100 + 20);
        assertThat(a.gapNanos()).isEqualTo(2 * SECOND);
        assertThat(a.session()).isNotEqualTo(b.session());
    }

    @Test
    void clientsRunTheRecordedSessionsInOrderThenOthersUntilTheClockStops() {
        PooledLoad load = new PooledLoad(
                pool(),
                new PooledLoad.Script(1, List.of(1, 0), new long[] {SECOND}, pool().gaps(), 60 * SECOND),
                new Seeds(3));
        RequestLog log = run(load);
        assertThat(log.sent(0)).isEqualTo(SECOND);
        assertThat(log.sent(1)).isEqualTo(log.end(0) + 2 * SECOND);
        assertThat(log.sent(2)).isEqualTo(log.end(1) + 2 * SECOND); // the next session, after a recorded gap
        assertThat(log.session(2)).isEqualTo(1);
        assertThat(log.cachedTokens(2)).isEqualTo(SHARED);
        assertThat(log.size()).isGreaterThan(20);
        assertThat(log.sent(log.size() - 1)).isLessThan(60 * SECOND);
    }

    @Test
    void aTurnHasTheSameIndexInEveryReplay() {
        PooledLoad load = new PooledLoad(
                pool(), new PooledLoad.Script(2, List.of(), new long[] {0}, pool().gaps(), 10 * SECOND), new Seeds(3));
        RequestLog log = run(load);
        for (int r = 0; r < log.size(); r++) {
            int turn = log.promptTokens(r) == SHARED + 100 ? 0 : 1;
            assertThat(log.index(r)).isEqualTo(load.index(log.session(r), turn));
        }
    }

    @Test
    void withoutAWholeSessionThereIsNothingToMakeOthersFrom() {
        assertThatThrownBy(() -> SessionPool.of(List.of(recording()), s -> s.size() == 3))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no whole session");
    }
}
