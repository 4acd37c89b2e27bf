package dev.warmroute.simulator.warm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SharedPrefixesTest {
    private static final long OTHER = 1L << 40;

    private static Turn turn(int index, String session, int turn, Prompt prompt) {
        return new Turn(
                index,
                index,
                session,
                "",
                turn,
                Turn.UNKNOWN,
                prompt,
                1,
                Turn.freshOutput(index),
                Turn.Recorded.NOTHING);
    }

    private static Prompt prompt(long system, int tokens, int number) {
        return Prompt.builder()
                .span(system, tokens)
                .span((number + 1L) << 32, 300)
                .build();
    }

    @Test
    void whatCoversTheMostTokensComesFirstAndANestedPrefixCountsForWhatItAdds() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            turns.add(turn(turns.size(), "a" + i, 1, prompt(0, 1000, turns.size())));
        }
        for (int i = 0; i < 3; i++) {
            turns.add(turn(turns.size(), "b" + i, 1, prompt(OTHER, 2000, turns.size())));
        }
        for (int i = 0; i < 2; i++) {
            Prompt nested = Prompt.builder()
                    .span(0, 1000)
                    .span(2 * OTHER, 500)
                    .span((50L + i) << 32, 9)
                    .build();
            turns.add(turn(turns.size(), "c" + i, 1, nested));
        }
        turns.add(turn(turns.size(), "a0", 2, prompt(0, 1000, 0))); // no first turn
        List<SharedPrefix> found = SharedPrefixes.of(turns, 16, 10);
        assertThat(found).extracting(s -> s.prompt().tokens()).containsExactly(1000, 2000, 1500);
        assertThat(found).extracting(SharedPrefix::firstTurns).containsExactly(7, 3, 2);
        assertThat(SharedPrefixes.of(turns, 16, 2)).isEqualTo(found.subList(0, 2));
        assertThat(SharedPrefixes.of(turns, 1501, 9))
                .as("a shorter one is never cached")
                .hasSize(1);
    }

    @Test
    void aWorkloadSharesItsSystemPrompt() {
        WorkloadSpec workload = WorkloadSpec.named("lm-warden");
        assertThat(SharedPrefixes.of(workload, 16))
                .singleElement()
                .satisfies(s -> assertThat(s.prompt()).isEqualTo(Prompt.of(0, workload.systemTokens())));
        assertThat(SharedPrefixes.of(workload, 100_000)).isEmpty();
    }

    @Property(tries = 200)
    void noPrefixOfAnyPromptCoversMoreThanTheFirst(
            @ForAll @Size(min = 2, max = 9)
                    List<@Size(min = 1, max = 6) List<@IntRange(min = 0, max = 2) Integer>> texts) {
        List<Turn> turns = new ArrayList<>();
        for (List<Integer> text : texts) {
            Prompt.Builder prompt = Prompt.builder();
            text.forEach(token -> prompt.span(10L * token, 1));
            turns.add(turn(turns.size(), "", 0, prompt.build()));
        }
        List<SharedPrefix> found = SharedPrefixes.of(turns, 1, 1);
        long best = found.isEmpty()
                ? 0
                : (long) found.get(0).prompt().tokens() * found.get(0).firstTurns();
        long brute = 0;
        for (Turn a : turns) {
            for (int tokens = 1; tokens <= a.prompt().tokens(); tokens++) {
                int least = tokens;
                long count = turns.stream()
                        .filter(b -> a.prompt().commonPrefix(b.prompt()) >= least)
                        .count();
                brute = Math.max(brute, count < 2 ? 0 : count * tokens);
            }
        }
        assertThat(best).isEqualTo(brute);
    }
}
