package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ChainInternerTest {
    /** Prompts over few tokens, so that prefixes, overlaps and straddling blocks are common. */
    @Provide
    Arbitrary<Prompt> prompts() {
        Arbitrary<long[]> span = Combinators.combine(
                        Arbitraries.longs().between(0, 12),
                        Arbitraries.integers().between(1, 20))
                .as((start, length) -> new long[] {start, length});
        return span.list().ofMinSize(1).ofMaxSize(5).map(spans -> {
            Prompt.Builder builder = Prompt.builder();
            spans.forEach(s -> builder.span(s[0], (int) s[1]));
            return builder.build();
        });
    }

    @Property(tries = 2000)
    void equalIdsAreEqualPrefixesOfWholeBlocks(
            @ForAll @Size(min = 1, max = 12) List<@From("prompts") Prompt> prompts,
            @ForAll @IntRange(min = 1, max = 7) int blockSize) {
        ChainInterner interner = new ChainInterner(blockSize);
        ChainRuns runs = new ChainRuns();
        Map<List<Long>, Integer> expected = new HashMap<>();
        for (Prompt prompt : prompts) {
            interner.intern(prompt, runs);
            assertThat(runs.blocks()).isEqualTo(prompt.tokens() / blockSize);
            List<Long> prefix = new ArrayList<>();
            for (int block = 0; block < runs.blocks(); block++) {
                for (int i = 0; i < blockSize; i++) {
                    prefix.add(prompt.tokenAt(block * blockSize + i));
                }
                Integer known = expected.putIfAbsent(List.copyOf(prefix), runs.id(block));
                if (known != null) {
                    assertThat(runs.id(block)).isEqualTo(known);
                }
            }
        }
        assertThat(interner.size()).as("no id is given twice, none is wasted").isEqualTo(expected.size());
        assertThat(expected.values()).doesNotHaveDuplicates();
    }

    @Property(tries = 500)
    void anAnswerContinuesItsPromptAsIfItWerePartOfIt(
            @ForAll("prompts") Prompt prompt,
            @ForAll @IntRange(min = 1, max = 40) int outputs,
            @ForAll @IntRange(min = 0, max = 12) int outputStart,
            @ForAll @IntRange(min = 1, max = 7) int blockSize) {
        ChainInterner interner = new ChainInterner(blockSize);
        ChainRuns separate = new ChainRuns();
        ChainRuns whole = new ChainRuns();
        interner.intern(prompt, outputStart, outputs, separate);
        interner.intern(Prompt.builder().all(prompt).span(outputStart, outputs).build(), whole);
        assertThat(separate.blocks()).isEqualTo(whole.blocks());
        for (int i = 0; i < whole.blocks(); i++) {
            assertThat(separate.id(i)).isEqualTo(whole.id(i));
        }
    }

    @Test
    void aLongSpanIsOneRunHoweverOftenItIsSent() {
        ChainInterner interner = new ChainInterner(16);
        ChainRuns runs = new ChainRuns();
        for (int turn = 1; turn <= 100; turn++) {
            interner.intern(Prompt.of(0, turn * 16_000), runs);
            assertThat(runs.runs()).isEqualTo(1);
        }
        assertThat(interner.size()).isEqualTo(100_000);
    }
}
