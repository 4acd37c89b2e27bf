package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Recordings made by the simulator itself: what replays and branches of them should give is known to the token. */
class SelfReplayTest {
    private static final EngineConfig ENGINE =
            EngineConfig.defaults().withBlockSize(16).withUsableBlocks(400);
    private static final FleetSpec FLEET = FleetSpec.of(3, ENGINE, TimingPresets.A4000_QWEN3_4B.preset());

    /** Twelve sessions of ten turns each, a little too many for the caches of three replicas. */
    private static List<Turn> sessions() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            int s = i % 12;
            int turn = i / 12;
            long own = (s + 1L) << 30;
            int length = 300 + 120 * turn;
            Prompt prompt = Prompt.builder().span(0, 160).span(own, length).build();
            turns.add(new Turn(
                    i,
                    s * 90_000_000L + turn * 1_000_000_000L,
                    "s" + s,
                    "",
                    turn + 1,
                    turn == 0 ? Turn.UNKNOWN : 200_000_000L + 37_000_000L * s,
                    prompt,
                    40,
                    own + length,
                    Turn.Recorded.NOTHING));
        }
        return turns;
    }

    private static Outcome play(TraceLoad load, String policy) {
        return FleetReplay.run(
                load.closed(0), FLEET, Policies.create(policy, Map.of(), 64), new Seeds(1), Progress.NONE);
    }

    /** A replay, as if it had been recorded. */
    private static List<Turn> recording(List<Turn> turns, Outcome outcome) {
        RequestLog log = outcome.requests();
        Turn[] byIndex = turns.toArray(Turn[]::new);
        List<Turn> recorded = new ArrayList<>();
        for (int r = 0; r < log.size(); r++) {
            Turn t = byIndex[log.index(r)];
            recorded.add(new Turn(
                    t.index(),
                    log.sent(r),
                    t.session(),
                    t.agent(),
                    t.turn(),
                    t.gapNanos(),
                    t.prompt(),
                    t.outputTokens(),
                    t.outputStart(),
                    new Turn.Recorded(
                            log.replica(r),
                            log.cachedTokens(r),
                            log.first(r) - log.sent(r),
                            log.end(r) - log.sent(r))));
        }
        recorded.sort(Comparator.comparingLong(Turn::arrivalNanos).thenComparingInt(Turn::index));
        return recorded;
    }

    private static Subject.OfTrace subject(List<Turn> turns) {
        TraceLoad load = new TraceLoad(turns);
        return new Subject.OfTrace(TraceSummary.of("recorded", "", turns, load.index()), load, Subject.Mode.CLOSED, 0);
    }

    @Test
    void aRecordingReplayedOnItsOwnFleetIsTheRecording() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "warden"));
        SelfReplay replay = new SelfReplayer(subject(recording), FLEET, SelfReplayer.TOLERANCE_PCT)
                .run(Optional.of(PolicyChoice.of("warden")))
                .orElseThrow();
        assertThat(replay.faithful()).isTrue();
        assertThat(replay.cachedOffPct()).isZero();
        assertThat(replay.requests()).isEqualTo(120);
        assertThat(replay.asPlaced().exactRequests()).isEqualTo(120);
        assertThat(replay.byPolicy().orElseThrow().exactRequests()).isEqualTo(120);
        assertThat(replay.asPlaced().ttftP50S()).isEqualTo(replay.recorded().ttftP50S());
        assertThat(replay.cacheAlone()).hasValueSatisfying(c -> {
            assertThat(c.exactRequests()).isEqualTo(120);
            assertThat(c.offPct()).isZero();
        });
    }

    @Test
    void theDrawsOfARandomPolicyAreTakenFromTheRecording() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "random"));
        SelfReplay replay = new SelfReplayer(subject(recording), FLEET, 0)
                .run(Optional.of(PolicyChoice.of("random")))
                .orElseThrow();
        assertThat(replay.byPolicy()).isEmpty();
        assertThat(replay.asPlaced().exactRequests()).isEqualTo(120);
        assertThat(replay.faithful()).isTrue();
    }

    @Test
    void aFleetThatIsNotTheRecordedOneIsNotFaithful() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "warden"));
        SelfReplay replay = new SelfReplayer(
                        subject(recording), FLEET.withEngine(ENGINE.withUsableBlocks(130)), SelfReplayer.TOLERANCE_PCT)
                .run(Optional.empty())
                .orElseThrow();
        assertThat(replay.faithful()).isFalse();
        assertThat(replay.cachedOffPct()).isLessThan(-3);
    }

    /** Where the caches are right and the step times are not, the replay with the recorded times tells them apart. */
    @Test
    void withItsTimesGivenARecordingIsExactWhateverTheStepTimes() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "warden"));
        SelfReplay replay = new SelfReplayer(
                        subject(recording),
                        FLEET.withTiming(TimingPresets.named("h100-8b")),
                        SelfReplayer.TOLERANCE_PCT)
                .run(Optional.empty())
                .orElseThrow();
        assertThat(replay.asPlaced().ttftP50S()).isNotEqualTo(replay.recorded().ttftP50S());
        assertThat(replay.cacheAlone().orElseThrow().exactRequests()).isEqualTo(120);
    }

    @Test
    void aTraceThatDoesNotSayWhatWasCachedCannotBeJudged() {
        assertThat(new SelfReplayer(subject(sessions()), FLEET, 3).run(Optional.empty()))
                .isEmpty();
    }

    /** Going on with the policy that had decided is going on as it went on. */
    @Test
    void aBranchUnderTheRecordedPolicyIsWhatHappened() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "warden"));
        long from = 6_000_000_000L;
        Outcome branched = subject(recording)
                .from(from)
                .replay(FLEET, Policies.create("warden", Map.of(), 64), new Seeds(1), Progress.NONE);
        RequestLog log = branched.requests();
        int counted = 0;
        for (int r = 0; r < log.size(); r++) {
            int index = log.index(r);
            Turn turn = recording.stream()
                    .filter(t -> t.index() == index)
                    .findFirst()
                    .orElseThrow();
            assertThat(log.replica(r)).isEqualTo(turn.recorded().replica());
            assertThat(log.cachedTokens(r)).isEqualTo((int) turn.recorded().cachedTokens());
            assertThat(log.end(r))
                    .isEqualTo(turn.arrivalNanos() + turn.recorded().durationNanos());
            counted += branched.counts(r) ? 1 : 0;
        }
        assertThat(counted)
                .isEqualTo((int)
                        recording.stream().filter(t -> t.arrivalNanos() >= from).count())
                .isBetween(20, 100);
        PolicyRow row = OutcomeRow.of("warden", branched);
        assertThat(row.requests()).isEqualTo(counted);
        assertThat(row.replicasBusy().orElseThrow()).isBetween(0.5, 3.0);
    }

    @Test
    void aBranchUnderAnotherPolicyStartsFromTheRecordedCaches() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "warden"));
        Subject.OfTrace branch = subject(recording).from(6_000_000_000L);
        PolicyRow kept = row(branch, "warden");
        PolicyRow scattered = row(branch, "round_robin");
        assertThat(scattered.requests()).isEqualTo(kept.requests());
        assertThat(scattered.hitPct().orElseThrow()).isLessThan(kept.hitPct().orElseThrow());
        assertThat(scattered.misses().get("moved")).isPositive();
        assertThat(kept.misses()).doesNotContainKey("moved");
    }

    private static PolicyRow row(Subject branch, String policy) {
        return OutcomeRow.of(
                policy, branch.replay(FLEET, Policies.create(policy, Map.of(), 64), new Seeds(1), Progress.NONE));
    }

    @Test
    void aBranchNeedsAMomentWithinTheRecordingAndToKnowWhereRequestsWent() {
        List<Turn> recording = recording(sessions(), play(new TraceLoad(sessions()), "warden"));
        assertThatThrownBy(() -> subject(recording).from(0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--from lies before");
        assertThatThrownBy(() -> subject(recording).from(1_000_000_000_000L))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--from lies after");
        assertThatThrownBy(() -> subject(sessions()).from(2_000_000_000L))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("does not say where");
    }
}
