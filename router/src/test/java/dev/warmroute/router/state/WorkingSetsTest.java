package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.state.Flights.Flight;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WorkingSetsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Needs.Places RULE = new Needs.Places(5, 0.95);
    private final WorkingSets learnt = new WorkingSets();

    /** A turn that was sent at 0, began to be answered after so many seconds and ended two seconds later. */
    private void turn(boolean first, long prompt, long cached, double seconds) {
        long firstByte = Math.round(seconds * SECOND);
        learnt.ended(
                first,
                new Completion(prompt, cached, 100),
                new Flight(0, "s", "r0", 0, prompt, prompt, firstByte),
                firstByte + 2 * SECOND);
    }

    @Test
    void nothingIsClaimedBeforeItIsKnown() {
        assertThat(learnt.privateTokens()).isNaN();
        assertThat(learnt.commonTokens()).isZero();
        assertThat(learnt.lostPrefixSeconds()).isNaN();
        assertThat(learnt.answerSeconds()).isNaN();
        assertThat(learnt.idlePlaceSeconds(RULE)).isNaN();
        assertThat(learnt.turnsPerSecond()).isNaN();
        assertThat(learnt.releaseNanos(RULE)).isEqualTo(5 * SECOND);
    }

    @Test
    void whatFirstTurnsFindCachedIsCommonAndTheRestOfAConversationItsOwn() {
        turn(true, 1000, 0, 1);
        turn(true, 1000, 400, 1);
        turn(true, 1000, 400, 1);
        turn(false, 1300, 1100, 1);
        assertThat(learnt.commonTokens())
                .as("a cold replica's first turn says nothing")
                .isEqualTo(400);
        assertThat(learnt.privateTokens()).isEqualTo((3 * 1100 + 1400) / 4.0 - 400);
    }

    @Test
    void aLostPrefixCostsWhatTheFastestLongPromptTook() {
        for (int i = 1; i <= 11; i++) {
            turn(true, 1000, 0, i == 2 ? 0.5 : i == 3 ? 1 : 8);
            turn(false, 1000, 999, 0.01); // a hit says nothing of the speed
        }
        assertThat(learnt.lostPrefixSeconds())
                .as("2000 tokens a second: the others waited")
                .isEqualTo(0.55);
        assertThat(learnt.answerSeconds()).isEqualTo(2);
    }

    @Test
    void anIdlePlaceCostsItsGapsAndTheReleaseTimeOfThoseThatDoNotComeBack() {
        for (int i = 1; i <= 40; i++) {
            learnt.spokeAfter(i * SECOND / 10);
            turn(i % 4 == 0, 1000, 0, 1);
        }
        assertThat(learnt.releaseNanos(RULE)).as("the 38th of 40").isEqualTo(38 * SECOND / 10);
        assertThat(learnt.idlePlaceSeconds(RULE)).isEqualTo(2.05 + 0.25 * 3.8, Offset.offset(1e-9));
        assertThat(learnt.releaseNanos(new Needs.Places(5, 0))).isEqualTo(5 * SECOND);
        assertThat(learnt.releaseNanos(new Needs.Places(100, .95)))
                .as("not below a tenth")
                .isEqualTo(10 * SECOND);
    }
}
