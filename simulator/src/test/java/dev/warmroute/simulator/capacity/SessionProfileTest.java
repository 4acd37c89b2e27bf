package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.Data;
import org.junit.jupiter.api.Test;

class SessionProfileTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void theSharedPrefixIsWhatAtLeastHalfOfTheSessionsShare() {
        SessionProfile profile = new SessionProfile();
        for (int s = 0; s < 6; s++) {
            // four sessions share 300 tokens, two of these 900; two share nothing
            Prompt prompt = s < 4
                    ? Prompt.builder()
                            .span(0, s < 2 ? 900 : 300)
                            .span((s + 1) * 10_000L, 200)
                            .build()
                    : Prompt.of((s + 1) * 10_000L, 500);
            profile.add(turn(s, "s" + s, "", s * SECOND, prompt, SECOND));
        }
        assertThat(profile.sharedTokens()).isEqualTo(300);
    }

    @Test
    void oneSessionSharesNothing() {
        SessionProfile profile = new SessionProfile();
        profile.add(turn(0, "a", "", 0, Prompt.of(0, 100), SECOND));
        assertThat(profile.sharedTokens()).isZero();
    }

    @Test
    void concurrencyIsTheLevelThatIsNotExceededFor95PercentOfTheTime() {
        SessionProfile profile = new SessionProfile();
        // one session for 100 s, a second for 3 of them, a third for 60
        profile.add(turn(0, "a", "", 0, Prompt.of(0, 10), 100 * SECOND));
        profile.add(turn(1, "b", "", 10 * SECOND, Prompt.of(0, 10), 3 * SECOND));
        profile.add(turn(2, "c", "", 12 * SECOND, Prompt.of(0, 10), 60 * SECOND));
        assertThat(profile.concurrent()).hasValue(2);
    }

    @Test
    void contextsAndAnswersAreTakenOverAllTurns() {
        SessionProfile profile = new SessionProfile();
        for (int t = 0; t < 101; t++) {
            profile.add(turn(t, "a", "", t * SECOND, Prompt.of(0, 1000 + 10 * t), SECOND));
        }
        Demand demand = profile.demand(3);
        assertThat(demand.sessions()).isEqualTo(3);
        assertThat(demand.contextMeanTokens()).isCloseTo(1500, within(1e-9));
        assertThat(demand.contextP95Tokens()).isCloseTo(1950, within(1e-9));
        assertThat(demand.outputMeanTokens()).isEqualTo(5);
    }

    @Test
    void aPauseIsTheRecordedGapWithoutWhatServingTakes() {
        SessionProfile profile = new SessionProfile();
        // a turn takes 6 s, and the next comes 4 s after its end
        for (int t = 0; t < 5; t++) {
            profile.add(new Turn(
                    t,
                    10 * t * SECOND,
                    "a",
                    "",
                    t + 1,
                    t == 0 ? Turn.UNKNOWN : 4 * SECOND,
                    Prompt.of(0, 100),
                    5,
                    Turn.freshOutput(t),
                    new Turn.Recorded(-1, Turn.UNKNOWN, Turn.UNKNOWN, 6 * SECOND)));
        }
        assertThat(profile.pauseMeanS()).hasValue(4);
        assertThat(profile.turnCycleP95S()).hasValue(10);
    }

    @Test
    void whereNoGapIsRecordedNoPauseIsKnown() {
        SessionProfile profile = new SessionProfile();
        profile.add(turn(0, "a", "", 0, Prompt.of(0, 100), SECOND));
        profile.add(turn(1, "a", "", 3 * SECOND, Prompt.of(0, 100), SECOND));
        assertThat(profile.pauseMeanS()).isEmpty();
    }

    @Test
    void recordedFleetSessionsShareTheirSystemPrompt() {
        SessionProfile profile = new SessionProfile();
        try (TraceReader reader = TraceSource.open("fleet:" + Data.file("vllm-fleet/warden-8.jsonl.gz"))) {
            reader.forEachRemaining(profile::add);
        }
        assertThat(profile.sessions()).isGreaterThan(8);
        assertThat(profile.sharedTokens()).isPositive();
        assertThat(profile.concurrent().orElseThrow()).isEqualTo(8);
    }

    private static Turn turn(int index, String session, String agent, long at, Prompt prompt, long duration) {
        return new Turn(
                index,
                at,
                session,
                agent,
                1,
                Turn.UNKNOWN,
                prompt,
                5,
                Turn.freshOutput(index),
                new Turn.Recorded(-1, Turn.UNKNOWN, Turn.UNKNOWN, duration));
    }
}
