package dev.warmroute.export.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.replay.MissCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RowsTest {
    private static final RouterIdentity ROUTER = new RouterIdentity("router", 0, 7);

    @Test
    void aSessionCountsWhatItHadToComputeAgain() {
        List<SessionRow> rows = SessionRows.of(List.of(
                turn(0, 5, "a", "", 100, 1, 0),
                turn(1, 7, "a", "", 150, 2, 60),
                turn(2, 8, "", "", 900, 0, 0),
                turn(3, 9, "a", "sub", 40, 2, 0),
                turn(4, 11, "a", "", 220, 1, 150)));
        assertThat(rows)
                .containsExactly(new SessionRow("a", 5, 4, 100, 220, 220, OptionalLong.of(2), OptionalLong.of(40)));
    }

    @Test
    void whatTheTraceDoesNotSayIsEmpty() {
        Turn turn = new Turn(
                0, 0, "a", "", 1, Turn.UNKNOWN, Prompt.of(0, 10), 1, Turn.freshOutput(0), Turn.Recorded.NOTHING);
        SessionRow row = SessionRows.of(List.of(turn)).get(0);
        assertThat(row.replicasVisited()).isEmpty();
        assertThat(row.recomputedTokens()).isEmpty();
    }

    @Test
    void decisionsAndCompletionsJoinByRequest() {
        List<TurnRow> rows = new ArrayList<>();
        RecordedTurns join = new RecordedTurns(rows::add);
        join.decided(decision("q1", 1_000_000, Kind.PLACED, Optional.of("r0")));
        join.completed(completed("q1", 2_000_000, 4_000_000, 21));
        join.decided(decision("q2", 9_000_000, Kind.HELD, Optional.empty()));
        join.decided(decision("q2", 9_000_000, Kind.STICKY, Optional.of("r0")));
        join.completed(completed("q2", 11_000_000, 12_000_000, 101));
        join.decided(decision("q3", 20_000_000, Kind.STICKY, Optional.of("r0")));
        join.completed(completed("nobody decided on it", 21_000_000, 22_000_000, 1));
        assertThat(rows).as("the third has not ended").hasSize(2);
        join.close();
        assertThat(rows).extracting(TurnRow::decision).containsExactly("placed", "sticky", "sticky");
        assertThat(rows).extracting(TurnRow::turn).containsExactly(1L, 2L, 3L);
        assertThat(rows)
                .allMatch(r -> r.run().equals(TurnRow.Run.recorded("warden"))
                        && r.missCause().isEmpty());
        TurnRow second = rows.get(1);
        assertThat(second.gapBeforeS()).hasValue(5);
        assertThat(second.ttftS()).hasValue(2);
        assertThat(second.tpotS().orElseThrow()).isCloseTo(0.01, within(1e-12));
        assertThat(second.computedTokens()).hasValue(400);
        TurnRow cut = rows.get(2);
        assertThat(cut.lastS()).as("its end is not in the recording").isEmpty();
        assertThat(cut.gapBeforeS()).hasValue(8);
        assertThat(cut.computedTokens()).isEmpty();
    }

    @Test
    void aTraceTellsWhatItsFormatCarries() {
        TurnRow row = TraceTurns.of(
                new Turn(
                        3,
                        2_000_000_000L,
                        "a",
                        "sub",
                        2,
                        500_000_000L,
                        Prompt.of(0, 10),
                        5,
                        Turn.freshOutput(3),
                        new Turn.Recorded(1, 4, 250_000_000L, 1_250_000_000L)),
                "");
        assertThat(row.replica()).hasValue("r1");
        assertThat(row.computedTokens()).hasValue(6);
        assertThat(row.ttftS()).hasValue(0.25);
        assertThat(row.tpotS()).hasValue(0.25);
        assertThat(row.gapBeforeS()).hasValue(0.5);
        assertThat(row.queueS()).as("no trace says when the engine took it").isEmpty();
    }

    @Test
    void mostOfTheMissedTokensHaveTheCause() {
        TurnRow.Tokens tokens = new TurnRow.Tokens(
                OptionalLong.of(100),
                OptionalLong.of(40),
                OptionalLong.of(1),
                Map.of(MissCause.FIRST_TURN, 10L, MissCause.EVICTED_WAITING, 25L, MissCause.EVICTED_IDLE, 25L));
        TurnRow.Times times = new TurnRow.Times(
                0, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        TurnRow row = new TurnRow(
                TurnRow.Run.simulated("warden", 1),
                "",
                "",
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "sticky",
                times,
                tokens,
                OptionalLong.empty());
        assertThat(row.missCause()).as("the first on ties").hasValue("evicted_waiting");
        assertThat(row.evictedTokens()).hasValue(50);
    }

    @Test
    void anAbsentCounterIsEmpty() {
        ReplicaSampleRow row = ReplicaSampleRow.of(new CountersDelta(
                "r0",
                0,
                2_500_000,
                1000,
                1,
                false,
                Map.of("prompt_tokens", 512.0),
                Map.of(),
                Map.of("num_requests_running", 3.0, "kv_cache_usage_perc", 0.5),
                List.of("prefix_cache_hits"),
                OptionalInt.of(16),
                OptionalInt.of(301),
                Optional.empty(),
                ROUTER));
        assertThat(row.timeS()).isEqualTo(2.5);
        assertThat(row.promptTokens()).hasValue(512);
        assertThat(row.kvUsedBlocks()).hasValue(150);
        assertThat(row.hits()).isEmpty();
        assertThat(row.waiting()).isEmpty();
    }

    @Test
    void theRuleAddsUp() {
        RuleLedger ledger = new RuleLedger(
                new RuleLedger.Machine(4, 2, 100, 5, 20, 22, .9, .98, 4, 3, 10, 9, 8, 8, 6, 10),
                List.of(
                        new RuleLedger.Replica("r0", 4, 50, 45, 49, .9, .98, 3, 2, 5),
                        new RuleLedger.Replica("r1", 0, 50, 0, 0, 0, 0, 3, 2, 50)));
        List<RuleRow> rows = RuleRow.of(ledger);
        assertThat(rows).extracting(RuleRow::replica).containsExactly("", "r0", "r1");
        assertThat(rows.get(0).sharedTokens()).isEqualTo(10);
        assertThat(rows.get(0).privateMeanTokens()).isEqualTo(80);
        assertThat(rows.get(1).privateMeanTokens() + rows.get(1).sharedTokens()).isEqualTo(45);
        assertThat(rows.get(2).sharedTokens()).isZero();
    }

    private static Turn turn(
            int index, int second, String session, String agent, int tokens, int replica, long cached) {
        return new Turn(
                index,
                second * 1_000_000_000L,
                session,
                agent,
                session.isEmpty() ? 0 : 1,
                Turn.UNKNOWN,
                Prompt.of(agent.isEmpty() ? 0 : 1_000_000, tokens),
                5,
                Turn.freshOutput(index),
                new Turn.Recorded(replica, cached, Turn.UNKNOWN, Turn.UNKNOWN));
    }

    private static RoutingDecision decision(String request, long arrivalUs, Kind kind, Optional<String> chosen) {
        return new RoutingDecision(
                request,
                arrivalUs,
                arrivalUs + 50,
                new RoutingDecision.Session(
                        Optional.of("h"), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty()),
                "m",
                "openai",
                true,
                new RoutingDecision.PromptSize(4000, OptionalLong.of(1000), false),
                new RoutingDecision.PolicyIdentity("warden", 1, "0123", Map.of()),
                1,
                Map.of(),
                List.of(),
                OptionalDouble.empty(),
                Optional.empty(),
                chosen,
                chosen,
                kind,
                1,
                1,
                900,
                ROUTER);
    }

    private static RequestCompleted completed(String request, long firstUs, long lastUs, long output) {
        return new RequestCompleted(
                request,
                RoutingDecision.Session.UNKNOWN,
                "m",
                Optional.of("r0"),
                OptionalInt.of(200),
                Optional.empty(),
                EndedBy.FINISHED,
                0,
                0,
                OptionalLong.of(firstUs),
                lastUs,
                OptionalLong.of(1000),
                OptionalLong.of(600),
                OptionalLong.of(output),
                Optional.empty(),
                1,
                ROUTER);
    }
}
