package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PromptSpansTest {
    private static final int BLOCK = 4;

    @Property
    void blocksAreSharedExactlyAsFarAsTheTokensAre(@ForAll("ids") List<Long> one, @ForAll("ids") List<Long> other) {
        int common = 0;
        while (common < Math.min(one.size(), other.size()) && one.get(common).equals(other.get(common))) {
            common++;
        }
        int shared = spans(one, "").commonPrefix(spans(other, ""));
        assertThat(shared / BLOCK).isEqualTo(common / BLOCK);
        assertThat(spans(one, "").tokens()).isEqualTo(one.size());
    }

    @Property
    void theEngineFindsAnAnswerWhereTheHistoryRepeatsIt(
            @ForAll("ids") List<Long> prompt,
            @ForAll @IntRange(min = 1, max = 20) int answer,
            @ForAll("ids") List<Long> more) {
        long start = PromptSpans.FIRST_GENERATED + 77;
        Prompt generated =
                Prompt.builder().all(spans(prompt, "")).span(start, answer).build();
        LongArrayList history = new LongArrayList(prompt);
        for (int i = 0; i < answer; i++) {
            history.add(start + i);
        }
        int before = history.size();
        history.addAll(more);
        Prompt next = PromptSpans.of(history, "", BLOCK);
        assertThat(next.commonPrefix(generated) / BLOCK).isEqualTo(before / BLOCK);
    }

    @Property
    void aSaltSharesNothingWithAnotherSaltOrNone(@ForAll("ids") List<Long> ids) {
        assertThat(spans(ids, "a").commonPrefix(spans(ids, ""))).isZero();
        assertThat(spans(ids, "a").commonPrefix(spans(ids, "b"))).isZero();
        assertThat(spans(ids, "a")).isEqualTo(spans(ids, "a"));
    }

    @Test
    void aBlockOfTextIsOneSpan() {
        assertThat(spans(List.of(1L << 50, 3L, 1L << 51, 9L, 7L, 8L, 2L, 1L << 50), "")
                        .spans())
                .isEqualTo(2);
    }

    @Provide
    Arbitrary<List<Long>> ids() {
        Arbitrary<Long> id = Arbitraries.oneOf(
                Arbitraries.longs().between(2, 9),
                Arbitraries.longs().between(10_000, 10_100),
                Arbitraries.of(1L << 50));
        return id.list().ofMinSize(1).ofMaxSize(17);
    }

    private static Prompt spans(List<Long> ids, String salt) {
        return PromptSpans.of(new LongArrayList(ids), salt, BLOCK);
    }
}
