package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class StandInTokenizerTest {
    @Test
    void aWordIsItsNumber() {
        assertThat(tokens("w10 w11 w12")).isEqualTo(List.of(10L, 11L, 12L));
        assertThat(tokens(" w10")).isEqualTo(List.of(10L));
        assertThat(tokens("(w77)")).contains(77L).hasSize(3);
    }

    @Test
    void whatOnlyLooksLikeAWordIsText() {
        for (String text : new String[] {"w5", "w010", "w10x", "xw10", "w1234567890123456", "w", "W10", "w10_"}) {
            assertThat(tokens(text)).as(text).allMatch(id -> id >= 1L << 48);
        }
    }

    @Test
    void textIsThreeToFourCharactersAToken() {
        String text =
                "The scheduler admits a waiting request only when every block of its whole sequence fits in the pool, "
                        + "and stops at the first one that does not.";
        double charactersPerToken = (double) text.length() / tokens(text).size();
        assertThat(charactersPerToken).isBetween(3.0, 4.5);
    }

    @Property
    void equalTextsAndOnlyThoseHaveEqualTokens(@ForAll("texts") String one, @ForAll("texts") String other) {
        List<Long> a = tokens(one);
        List<Long> b = tokens(other);
        if (a.equals(b)) {
            // A word stands for itself with and without the space before it; all else is told apart.
            assertThat(text(a)).isEqualTo(text(b));
        } else {
            assertThat(one).isNotEqualTo(other);
        }
    }

    @Property
    void textWithoutWordsComesBackAsItWas(@ForAll("wordless") String text) {
        assertThat(text(tokens(text))).isEqualTo(text);
    }

    @Property
    void tokensSurviveTheirText(@ForAll("texts") String text) {
        List<Long> ids = tokens(text);
        assertThat(tokens(text(ids))).isEqualTo(ids);
    }

    @Property
    void aLongerTextKeepsTheTokensOfItsPrefixButTheLast(@ForAll("texts") String prefix, @ForAll("texts") String rest) {
        List<Long> shorter = tokens(prefix);
        List<Long> longer = tokens(prefix + rest);
        int kept = Math.max(0, shorter.size() - 1);
        assertThat(longer.size()).isGreaterThanOrEqualTo(kept);
        assertThat(longer.subList(0, kept)).isEqualTo(shorter.subList(0, kept));
    }

    @Property
    void idsFitInJsonAndAreNoSpecials(@ForAll("texts") String text) {
        assertThat(tokens(text)).allMatch(id -> id >= StandInTokenizer.FIRST_WORD && id < StandInTokenizer.MAX_ID);
    }

    @Property
    void generatedWordsAreOneTokenEachWhereverTheAnswerStands(@ForAll("texts") String before) {
        String answer = StandInTokenizer.word(10_000) + StandInTokenizer.word(10_001) + StandInTokenizer.word(910_001);
        List<Long> all = tokens(before + answer);
        assertThat(all.subList(all.size() - 3, all.size())).isEqualTo(List.of(10_000L, 10_001L, 910_001L));
    }

    private static List<Long> tokens(String text) {
        return List.copyOf(StandInTokenizer.tokenize(text));
    }

    private static String text(List<Long> ids) {
        return StandInTokenizer.detokenize(new LongArrayList(ids));
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> parts = Arbitraries.oneOf(
                Arbitraries.strings()
                        .alpha()
                        .numeric()
                        .withChars(' ', '\n', '\t', '_', '.', '{', 'w')
                        .ofMaxLength(12),
                Arbitraries.strings().withChars("äß漢字🙂👩‍💻ǅ٣\u0000").ofMaxLength(4),
                Arbitraries.longs().between(0, 1L << 50).map(StandInTokenizer::word),
                Arbitraries.longs().between(0, 100_000).map(n -> "w" + n));
        return parts.list().ofMaxSize(8).map(list -> String.join("", list)).map(StandInTokenizerTest::wellFormed);
    }

    @Provide
    Arbitrary<String> wordless() {
        return texts().map(text -> text.replace('w', 'v'));
    }

    /** Drops halves of surrogate pairs, which have no UTF-8. */
    private static String wellFormed(String text) {
        return text.codePoints()
                .filter(c -> c < 0xD800 || c > 0xDFFF)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
