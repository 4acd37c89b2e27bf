package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MostKeptTest {
    @Property(tries = 300)
    void theBoundIsFoundToOnePartInSixteenFromAnyGuess(
            @ForAll @IntRange(min = 0, max = 120) int bound, @ForAll @IntRange(min = 0, max = 200) int guess) {
        MostKept found = MostKept.search(guess, 120, n -> n <= bound);
        assertThat(found.sessions()).isLessThanOrEqualTo(bound);
        assertThat(found.sessions() == bound || MostKept.same(bound, found.sessions()))
                .isTrue();
    }

    @Property(tries = 100)
    void thereMayBeMoreOnlyWhereNothingAboveWasSeenToLose(
            @ForAll @IntRange(min = 1, max = 120) int most, @ForAll @IntRange(min = 1, max = 200) int guess) {
        assertThat(MostKept.search(guess, most, n -> true)).isEqualTo(new MostKept(most, true));
        assertThat(MostKept.search(guess, most, n -> n < most).orMore()).isFalse();
    }

    @Test
    void whatTheSearchCannotTellApartIsTheSame() {
        assertThat(MostKept.same(12, 12)).isTrue();
        assertThat(MostKept.same(13, 12)).isFalse();
        assertThat(MostKept.same(49, 48)).isTrue();
        assertThat(MostKept.same(51, 48)).isFalse();
    }
}
