package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings made up with users and without, and what is made of them. Times in seconds, of a turn: 1, of a gap: 0.5. */
class ConstantUsersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int TURNS = 6;
    private static final double SESSION = TURNS + (TURNS - 1) * 0.5;

    /** Sessions that start at these times, each so many times as slow as the shortest. */
    private static List<Turn> recording(List<Double> starts, List<Double> slow) {
        return recording(starts, slow, Double.MAX_VALUE);
    }

    private static List<Turn> recording(List<Double> starts, List<Double> slow, double stop) {
        return recording(starts, slow, Collections.nCopies(starts.size(), TURNS), stop);
    }

    private static List<Turn> recording(List<Double> starts, List<Double> slow, List<Integer> lengths, double stop) {
        List<Turn> turns = new ArrayList<>();
        for (int s = 0; s < starts.size(); s++) {
            double at = starts.get(s);
            long own = 1_000_000L * (s + 1);
            for (int t = 0; t < lengths.get(s) && at < stop; t++) {
                int length = 300 + 100 * t;
                turns.add(new Turn(
                        0,
                        Math.round(at * SECOND),
                        "s" + s,
                        "",
                        t + 1,
                        t == 0 ? Turn.UNKNOWN : SECOND / 2,
                        Prompt.builder().span(0, 160).span(own, length).build(),
                        20,
                        own + length,
                        new Turn.Recorded(0, 0, SECOND / 10, Math.round(slow.get(s) * SECOND))));
                at += slow.get(s) + 0.5;
            }
        }
        turns.sort(Comparator.comparingLong(Turn::arrivalNanos));
        List<Turn> numbered = new ArrayList<>();
        for (Turn t : turns) {
            numbered.add(new Turn(
                    numbered.size(),
                    t.arrivalNanos(),
                    t.session(),
                    t.agent(),
                    t.turn(),
                    t.gapNanos(),
                    t.prompt(),
                    t.outputTokens(),
                    t.outputStart(),
                    t.recorded()));
        }
        return numbered;
    }

    /** So many users for so long, with pauses of so many seconds in the mean, turns of 0.5 to 1.5 seconds. */
    private static List<Turn> users(int users, double seconds, double pause, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> starts = new ArrayList<>();
        List<Double> slow = new ArrayList<>();
        for (int u = 0; u < users; u++) {
            double at = random.nextDouble();
            while (at < seconds) {
                starts.add(at);
                slow.add(0.5 + random.nextDouble());
                at += TURNS * slow.get(slow.size() - 1) + (TURNS - 1) * 0.5 + 2 * pause * random.nextDouble();
            }
        }
        return recording(starts, slow, seconds);
    }

    private static List<Turn> poisson(double atATime, double seconds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> starts = new ArrayList<>();
        List<Double> slow = new ArrayList<>();
        double at = 0;
        while (at < seconds) {
            starts.add(at);
            slow.add(0.5 + random.nextDouble());
            at += -Math.log(1 - random.nextDouble()) * SESSION / atATime;
        }
        return recording(starts, slow, seconds);
    }

    private static Optional<ConstantUsers> of(List<Turn> turns) {
        return ConstantUsers.of(turns, SessionIndex.of(turns));
    }

    @ParameterizedTest
    @CsvSource({"4, 60, 0.5", "8, 90, 0.1", "16, 60, 0.5", "16, 90, 1.2", "24, 40, 0.5", "100, 60, 0.5"})
    void usersWhoBeginAnotherSessionWhenOneHasEndedAreCounted(int users, double seconds, double pause) {
        for (long seed = 1; seed <= 20; seed++) {
            List<Turn> turns = users(users, seconds, pause, seed);
            ConstantUsers found = of(turns).orElseThrow();
            assertThat(found.users()).as("seed %d", seed).isEqualTo(users);
            assertThat(found.laterSessions()).isEqualTo(SessionIndex.of(turns).sessions() - users);
            assertThat(found.meanPauseNanos() / 1e9).isBetween(0.5 * pause, 1.5 * pause + 0.001);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {2, 4, 8, 16, 24, 64, 200})
    void sessionsThatArriveAtRandomAreNotUsers(double atATime) {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(of(poisson(atATime, 120, seed))).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.6, 1, 1.5, 2, 3})
    void noMoreInAShortWhile(double sessions) {
        int taken = 0;
        for (long seed = 1; seed <= 100; seed++) {
            taken += of(poisson(64, sessions * SESSION, seed)).isPresent() ? 1 : 0;
        }
        assertThat(taken).as("of 100").isLessThanOrEqualTo(5);
    }

    /** One session in two has 2 turns, the others 20: in the replay, too, though at the end the long ones were cut off. */
    @Test
    void longSessionsAreReplayedAsOftenAsTheyBegan() {
        SplittableRandom random = new SplittableRandom(3);
        List<Double> starts = new ArrayList<>();
        List<Integer> lengths = new ArrayList<>();
        for (int u = 0; u < 40; u++) {
            double at = 20 * random.nextDouble();
            while (at < 100) {
                starts.add(at);
                lengths.add(random.nextBoolean() ? 2 : 20);
                at += 1.5 * lengths.get(lengths.size() - 1);
            }
        }
        List<Turn> turns = recording(starts, Collections.nCopies(starts.size(), 1.0), lengths, 100);
        ConstantUsers users = of(turns).orElseThrow();
        RequestLog log = FleetReplay.run(
                        users.load(200, new Seeds(1)),
                        FleetSpec.of(2, EngineConfig.defaults().withUnlimitedBlocks(), TimingPresets.DEFAULT.preset()),
                        Policies.create("warden", Map.of(), 64),
                        new Seeds(1),
                        Progress.NONE)
                .requests();
        Map<Integer, Integer> turnsOf = new TreeMap<>();
        for (int r = 0; r < log.size(); r++) {
            if (log.session(r) < 200) { // the first of each user, which all had the time to end
                turnsOf.merge(log.session(r), 1, Integer::sum);
            }
        }
        assertThat(turnsOf).hasSize(200);
        assertThat(turnsOf.values().stream().filter(n -> n > 2).count()).isBetween(80L, 120L);
    }

    @Test
    void sessionsThatAllStartAtOnceAreNotUsers() {
        List<Double> at = new ArrayList<>();
        List<Double> slow = new ArrayList<>();
        for (int s = 0; s < 40; s++) {
            at.add(0.01 * s);
            slow.add(1 + 0.02 * s);
        }
        assertThat(of(recording(at, slow))).isEmpty();
        // Nor is another wave when all have ended.
        for (int s = 0; s < 40; s++) {
            at.add(30 + 0.01 * s);
            slow.add(1 + 0.02 * s);
        }
        assertThat(of(recording(at, slow))).isEmpty();
    }

    @Test
    void aNumberOfUsersThatChangesIsNotConstant() {
        List<Turn> half = users(8, 60, 0.5, 1);
        List<Turn> all = new ArrayList<>(users(16, 60, 0.5, 2));
        half.forEach(t -> all.add(new Turn(
                all.size(),
                t.arrivalNanos() + 70 * SECOND,
                "later" + t.session(),
                "",
                t.turn(),
                t.gapNanos(),
                t.prompt(),
                t.outputTokens(),
                t.outputStart(),
                t.recorded())));
        assertThat(of(half)).isPresent();
        assertThat(of(all)).isEmpty();
    }

    @Test
    void nothingIsSaidWithoutSessionsOrDurationsOrWithSeveralAgents() {
        List<Turn> turns = users(8, 60, 0.5, 1);
        assertThat(of(turns)).isPresent();
        assertThat(of(changed(turns, "", "", true))).isEmpty();
        assertThat(of(changed(turns, "s", "a", true))).isEmpty();
        assertThat(of(changed(turns, "s", "", false))).isEmpty();
    }

    private static List<Turn> changed(List<Turn> turns, String session, String agent, boolean durations) {
        return turns.stream()
                .map(t -> new Turn(
                        t.index(),
                        t.arrivalNanos(),
                        session.isEmpty() ? "" : t.session(),
                        t.turn() > 3 ? agent : "",
                        t.turn(),
                        t.gapNanos(),
                        t.prompt(),
                        t.outputTokens(),
                        t.outputStart(),
                        durations ? t.recorded() : Turn.Recorded.NOTHING))
                .toList();
    }

    @Test
    void theyAreReplayedAsManyAtATimeForAsLongAndAskedForInAnotherNumber() {
        List<Turn> turns = users(8, 60, 0.5, 1);
        ConstantUsers recorded = of(turns).orElseThrow();
        for (int number : new int[] {recorded.users(), 3}) {
            Outcome outcome = FleetReplay.run(
                    recorded.load(number, new Seeds(1)),
                    FleetSpec.of(2, EngineConfig.defaults().withUnlimitedBlocks(), TimingPresets.DEFAULT.preset()),
                    Policies.create("warden", Map.of(), 64),
                    new Seeds(1),
                    Progress.NONE);
            RequestLog log = outcome.requests();
            Map<Integer, long[]> sessions = new TreeMap<>();
            long last = 0;
            for (int r = 0; r < log.size(); r++) {
                long[] span = sessions.computeIfAbsent(log.session(r), s -> new long[] {Long.MAX_VALUE, 0});
                span[0] = Math.min(span[0], log.sent(r));
                span[1] = Math.max(span[1], log.end(r));
                last = Math.max(last, log.sent(r));
            }
            assertThat(last / (double) SECOND).isBetween(57.0, 60.0);
            int most = 0;
            for (long[] one : sessions.values()) {
                most = Math.max(most, (int) sessions.values().stream()
                        .filter(s -> s[0] <= one[0] && one[0] < s[1])
                        .count());
            }
            assertThat(most).isEqualTo(number);
        }
    }
}
