package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AdviceRankingTest {
    private static final Advice NOW = advice("now", 40, OptionalInt.of(48), false);

    @Test
    void whatTheSearchCannotTellApartGoesByTheRule() {
        assertThat(ranked(
                        advice("a", 44, OptionalInt.of(49), false),
                        advice("b", 60, OptionalInt.of(48), false),
                        advice("c", 80, OptionalInt.of(30), false),
                        advice("d", 40, OptionalInt.of(60), false)))
                .containsExactly("d", "b", "a", "c");
    }

    @Test
    void whereNothingIsKnownOfWhatIsKeptItCountsLikeNow() {
        assertThat(ranked(
                        advice("less", 70, OptionalInt.of(20), false),
                        advice("held", 40, OptionalInt.empty(), false),
                        advice("more", 41, OptionalInt.of(55), false)))
                .containsExactly("more", "held", "less");
    }

    @Test
    void aGainIsTheDifferenceOfTwoBoundsThatWereFound() {
        assertThat(advice("a", 44, OptionalInt.of(55), false).over(NOW).keptGained())
                .hasValue(7);
        assertThat(advice("a", 44, OptionalInt.empty(), false).over(NOW).keptGained())
                .isEmpty();
        Advice most = advice("a", 44, OptionalInt.of(100), true).over(NOW);
        assertThat(most.keptGained()).hasValue(52);
        assertThat(most.orMore()).as("at least").isTrue();
        Advice cutOff = advice("now", 40, OptionalInt.of(100), true);
        assertThat(advice("a", 44, OptionalInt.of(100), true).over(cutOff).keptGained())
                .isEmpty();
    }

    private static List<String> ranked(Advice... changes) {
        List<Advice> over = List.of(changes).stream().map(a -> a.over(NOW)).toList();
        return AdviceRanking.of(NOW, over).stream().map(Advice::change).toList();
    }

    private static Advice advice(String change, int fit, OptionalInt kept, boolean orMore) {
        return new Advice(
                change,
                "",
                Verdict.FITS,
                new SessionsFit(fit, fit),
                0,
                new Advice.Simulated(
                        "warden",
                        OptionalInt.of(20),
                        OptionalDouble.of(80),
                        OptionalDouble.of(1),
                        OptionalDouble.of(1_000),
                        OptionalDouble.of(2)),
                kept,
                orMore,
                OptionalInt.empty());
    }
}
