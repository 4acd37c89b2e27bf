package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetReplayTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;
    /** 10 ms a step and 1 ms a prompt token. */
    private static final AffineLaw LAW = AffineLaw.ofSeconds(0.010, 0.001, 0, 0, 0);

    private static final EngineConfig SYNC = EngineConfig.defaults().withAsyncScheduling(false);
    private static final FleetSpec ONE = new FleetSpec(1, SYNC, LAW, FrontendDelay.NONE, SharedHost.NONE, 0, SECOND);

    @Test
    void anAloneRequestTakesNetworkFrontendPrefillAndItsDecodeSteps() {
        FleetSpec fleet =
                new FleetSpec(1, SYNC, LAW, new FrontendDelay(3 * MS, 1_000_000), SharedHost.NONE, 8 * MS, SECOND);
        RequestLog log = run(new TraceLoad(List.of(turn(0, "", 0, 5 * SECOND, 0, 100, 4))).open(), fleet, "round_robin")
                .requests();
        // 4 ms up, 3 ms and 100 us in front of the engine, 110 ms prefill, 4 ms down
        assertThat(log.sent(0)).isEqualTo(5 * SECOND);
        assertThat(log.first(0) - log.sent(0)).isEqualTo(121 * MS + 100_000);
        assertThat(log.end(0) - log.first(0)).isEqualTo(30 * MS);
        assertThat(log.produced(0)).isEqualTo(4);
        assertThat(log.cachedTokens(0)).isZero();
    }

    @Test
    void theNextTurnComesAGapAfterTheLastByteAndFindsItsHistoryCached() {
        TraceLoad load = new TraceLoad(
                List.of(turn(0, "a", 1, 0, 0, 100, 3), turn(1, "a", 2, 999 * SECOND, 2 * SECOND, 160, 3)));
        Outcome outcome = run(load.closed(0), ONE, "warden");
        RequestLog log = outcome.requests();
        assertThat(log.end(0)).isEqualTo(130 * MS);
        assertThat(log.sent(1)).isEqualTo(2130 * MS);
        assertThat(log.cachedTokens(1)).isEqualTo(96);
        assertThat(log.first(1) - log.sent(1)).isEqualTo(74 * MS);
        assertThat(log.kind(1)).isEqualTo(Kind.STICKY);
        assertThat(outcome.sessions().end(0)).isEqualTo(log.end(1)).isEqualTo(outcome.endNanos());
        assertThat(outcome.busyNanos()).containsExactly(130 * MS + 94 * MS);
    }

    /** A replica that always has work loses its cache at the recorded moment all the same. */
    @Test
    void aRestartTakesEffectAtItsTimeThoughTheReplicaIsNeverIdle() {
        List<Turn> turns = List.of(
                turn(0, "a", 1, 0, 0, 100, 3),
                turn(1, "b", 1, 0, 0, 20, 1500),
                turn(2, "a", 2, 10 * SECOND, 9 * SECOND, 160, 3));
        TraceLoad restarted = new TraceLoad(turns, List.of(new TraceLoad.Restart(0, 5 * SECOND)));
        RequestLog without = run(new TraceLoad(turns).open(), ONE, "warden").requests();
        RequestLog log = run(restarted.open(), ONE, "warden").requests();
        assertThat(without.end(1)).as("busy all the time").isGreaterThan(without.end(2));
        assertThat(without.cachedTokens(2)).isEqualTo(96);
        assertThat(log.cachedTokens(2)).isZero();
        assertThat(log.missed(2, MissCause.REPLICA_RESTARTED)).isEqualTo(96);
        // The one it cut off had its first byte, and is computed from its beginning: 30 ms for the prompt, then a step
        // a token.
        assertThat(log.first(1)).isEqualTo(without.first(1)).isLessThan(5 * SECOND);
        assertThat(log.produced(1)).isEqualTo(1500);
        assertThat(log.end(1)).isEqualTo(5 * SECOND + 30 * MS + 1499 * 10 * MS + 160 * MS);
    }

    /** Those that wait come again, too, in the order in which they were sent; host memory is lost with the card's. */
    @Test
    void aRestartEmptiesBothTiersAndKeepsTheOrderOfTheQueue() {
        EngineConfig one = SYNC.withMaxNumSeqs(1).withUsableBlocks(12).withHostMemory(new HostMemory(200, 0, 1, 1));
        FleetSpec fleet = new FleetSpec(1, one, LAW, FrontendDelay.NONE, SharedHost.NONE, 0, SECOND);
        List<Turn> turns = List.of(
                turn(0, "a", 1, 0, 0, 100, 3),
                turn(1, "b", 1, SECOND, 0, 120, 40),
                turn(2, "c", 1, SECOND + 1, 0, 120, 40),
                turn(3, "d", 1, SECOND + 2, 0, 120, 40),
                turn(4, "a", 2, 10 * SECOND, 9 * SECOND, 160, 3));
        RequestLog without = run(new TraceLoad(turns).open(), fleet, "warden").requests();
        assertThat(without.cachedTokens(4)).as("from host memory").isEqualTo(96);
        RequestLog log = run(
                        new TraceLoad(turns, List.of(new TraceLoad.Restart(0, SECOND + 200 * MS))).open(),
                        fleet,
                        "warden")
                .requests();
        assertThat(log.cachedTokens(4)).isZero();
        assertThat(log.loadedTokens(4)).isZero();
        assertThat(log.first(1)).isEqualTo(without.first(1)).isLessThan(SECOND + 200 * MS);
        assertThat(log.end(1)).isEqualTo(SECOND + 200 * MS + 130 * MS + 39 * 10 * MS);
        assertThat(log.end(1)).isLessThan(log.first(2));
        assertThat(log.end(2)).isLessThan(log.first(3));
    }

    @Test
    void openLoopSendsAtRecordedTimesWhateverBecameOfTheOthers() {
        TraceLoad load = new TraceLoad(
                List.of(turn(0, "a", 1, 0, 0, 1000, 3), turn(1, "a", 2, SECOND / 2, 9 * SECOND, 1100, 3)));
        RequestLog log = run(load.open(), ONE, "warden").requests();
        assertThat(log.sent(1)).isEqualTo(SECOND / 2);
        assertThat(log.end(0)).isGreaterThan(log.sent(1));
    }

    @Test
    void aParentWaitsForItsSubAgentAndTheSubAgentStartsAfterTheTurnThatCalledIt() {
        // main: 0-1 s, sub-agent 2-3 s, main again at 4 s: half a second after it had the sub-agent's answer
        List<Turn> turns = List.of(
                recorded(0, "a", "", 1, 0, Turn.UNKNOWN, SECOND),
                recorded(1, "a", "sub", 1, 2 * SECOND, Turn.UNKNOWN, SECOND),
                recorded(2, "a", "", 2, 3 * SECOND + SECOND / 2, 0, SECOND));
        RequestLog log = run(new TraceLoad(turns).closed(0), ONE, "warden").requests();
        assertThat(log.sent(1)).isEqualTo(log.end(0) + SECOND);
        assertThat(log.sent(2)).isEqualTo(log.end(1) + SECOND / 2);
    }

    @Test
    void withLimitedSessionsTheNextOneStartsWhenOneHasEnded() {
        List<Turn> turns = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            turns.add(turn(2 * s, "s" + s, 1, 0, 0, 100, 2));
            turns.add(turn(2 * s + 1, "s" + s, 2, 0, SECOND, 200, 2));
        }
        Outcome outcome = run(new TraceLoad(turns).closed(2), ONE, "warden");
        assertThat(outcome.sessions().start(0)).isZero();
        assertThat(outcome.sessions().start(1)).isZero();
        long firstEnd = Math.min(outcome.sessions().end(0), outcome.sessions().end(1));
        assertThat(outcome.sessions().start(2)).isEqualTo(firstEnd);
    }

    @Test
    void aReplayThatIsCutOffKnowsWhatWasUnderWay() {
        TraceLoad load = new TraceLoad(List.of(turn(0, "a", 1, 0, 0, 90, 100), turn(1, "b", 1, 5 * SECOND, 0, 90, 2)));
        Outcome outcome = FleetReplay.run(
                load.open(), ONE, Policies.create("warden", Map.of(), 8), new Seeds(1), 305 * MS, Progress.NONE);
        RequestLog log = outcome.requests();
        // 100 ms prefill, then 20 decode steps of 10 ms
        assertThat(log.produced(0)).isEqualTo(21);
        assertThat(log.hasEnded(0)).isFalse();
        assertThat(log.wasSent(1)).isFalse();
        assertThat(outcome.sessions().hasEnded(0)).isFalse();
        assertThat(outcome.sessions().hasStarted(1)).isFalse();
        assertThat(outcome.busyNanos()).containsExactly(305 * MS);
    }

    @Test
    void aRequestThatNoReplicaCanServeIsRefusedAndItsSessionGoesOn() {
        FleetSpec small = ONE.withEngine(SYNC.withUsableBlocks(10));
        TraceLoad load = new TraceLoad(List.of(turn(0, "a", 1, 0, 0, 500, 2), turn(1, "a", 2, 0, SECOND, 100, 2)));
        Outcome outcome = run(load.closed(0), small, "warden");
        assertThat(outcome.refused()).isEqualTo(1);
        assertThat(outcome.requests().wasAdmitted(0)).isFalse();
        assertThat(outcome.requests().hasEnded(0)).isTrue();
        assertThat(outcome.requests().wasAdmitted(1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1000, 1", "10000, 0"})
    void signalsAreAsOldAsTheLastScrape(long scrapeMillis, int expectedReplica) {
        // r0 fills half of its cache, r1 little of it; both have one request in flight. A session placed by the KV term
        // goes
        // to r1 if a scrape has seen that, and to the lowest index if the last scrape was at the start.
        EngineConfig engine = SYNC.withUsableBlocks(150);
        List<Turn> turns = List.of(
                turn(0, "", 0, 0, 0, 800, 400), turn(1, "", 0, 1, 0, 20, 400), turn(2, "b", 1, 1900 * MS, 0, 20, 1));
        FleetSpec fleet = new FleetSpec(2, engine, LAW, FrontendDelay.NONE, SharedHost.NONE, 0, scrapeMillis * MS);
        RequestLog log = run(new TraceLoad(turns).open(), fleet, "warden").requests();
        assertThat(log.replica(0)).isZero();
        assertThat(log.replica(1)).isEqualTo(1);
        assertThat(log.replica(2)).isEqualTo(expectedReplica);
    }

    @Test
    void aWorkloadIsTheSameUnderEveryPolicyAndARunTheSameEveryTime() {
        WorkloadSpec spec = WorkloadSpec.named("lm-warden").withSessions(6);
        List<RequestLog> logs = new ArrayList<>();
        for (String policy : List.of("warden", "random", "warden")) {
            logs.add(FleetReplay.run(
                            new WorkloadLoad(spec, new Seeds(7)),
                            spec.fleetSpec(),
                            Policies.create(policy, Map.of(), 32),
                            new Seeds(7),
                            60 * SECOND,
                            Progress.NONE)
                    .requests());
        }
        assertThat(fingerprint(logs.get(2))).isEqualTo(fingerprint(logs.get(0))).isNotEqualTo(fingerprint(logs.get(1)));
        Map<Integer, Integer> lengths = new HashMap<>();
        for (int r = 0; r < logs.get(0).size(); r++) {
            lengths.put(logs.get(0).index(r), logs.get(0).promptTokens(r));
        }
        for (int r = 0; r < logs.get(1).size(); r++) {
            Integer length = lengths.get(logs.get(1).index(r));
            if (length != null) {
                assertThat(logs.get(1).promptTokens(r)).isEqualTo(length);
            }
        }
    }

    private static List<Long> fingerprint(RequestLog log) {
        List<Long> all = new ArrayList<>();
        for (int r = 0; r < log.size(); r++) {
            all.addAll(
                    List.of(log.sent(r), log.first(r), log.end(r), (long) log.replica(r), (long) log.cachedTokens(r)));
        }
        return all;
    }

    private static Outcome run(Load load, FleetSpec fleet, String policy) {
        return FleetReplay.run(load, fleet, Policies.create(policy, Map.of(), 64), new Seeds(1), Progress.NONE);
    }

    private static Turn turn(int index, String session, int turn, long at, long gap, int tokens, int output) {
        long start = session.isEmpty() ? 1L << 40 : (long) session.hashCode() << 20;
        return new Turn(
                index,
                at,
                session,
                "",
                turn,
                gap,
                Prompt.of(start, tokens),
                output,
                start + tokens,
                Turn.Recorded.NOTHING);
    }

    private static Turn recorded(int index, String session, String agent, int turn, long at, long gap, long duration) {
        return new Turn(
                index,
                at,
                session,
                agent,
                turn,
                gap,
                Prompt.of(index * 1000L, 50),
                2,
                Turn.freshOutput(index),
                new Turn.Recorded(-1, Turn.UNKNOWN, Turn.UNKNOWN, duration));
    }
}
