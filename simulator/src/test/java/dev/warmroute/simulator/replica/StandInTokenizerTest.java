package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class StandInTokenizerTest {
    @Test
    void aWordIsItsNumber() {
        assertThat(StandInTokenizer.tokenize("w10 w11 w12")).isEqualTo(LongArrayList.of(10, 11, 12));
        assertThat(StandInTokenizer.tokenize(" w10")).isEqualTo(LongArrayList.of(10));
        assertThat(StandInTokenizer.tokenize("(w77)")).contains(77L).hasSize(3);
    }

    @Test
    void whatOnlyLooksLikeAWordIsText() {
        for (String text : new String[] {"w5", "w010", "w10x", "xw10", "w1234567890123456", "w", "W10", "w10_"}) {
            assertThat(StandInTokenizer.tokenize(text)).as(text).allMatch(id -> id >= 1L << 48);
        }
    }

    @Test
    void textIsAboutFourCharactersAToken() {
        String text = """
                The scheduler admits a waiting request only when every block of its sequence fits in the pool.
                    for (int i = 0; i < batch.size(); i++) { settle(batch.request(i), 1_000); }
                """;
        double charactersPerToken = (double) text.length() / StandInTokenizer.tokenize(text).size();
        assertThat(charactersPerToken).isBetween(3.0, 5.0);
    }

    @Property
    void equalTextsAndOnlyThoseHaveEqualTokens(@ForAll("texts") String one, @ForAll("texts") String other) {
        LongList a = StandInTokenizer.tokenize(one);
        LongList b = StandInTokenizer.tokenize(other);
        if (a.equals(b)) {
            // A word stands for itself with and without the space before it; all else is told apart.
            assertThat(StandInTokenizer.detokenize(a)).isEqualTo(StandInTokenizer.detokenize(b));
        } else {
            assertThat(one).isNotEqualTo(other);
        }
    }

    @Property
    void textWithoutWordsComesBackAsItWas(@ForAll("wordless") String text) {
        assertThat(StandInTokenizer.detokenize(StandInTokenizer.tokenize(text))).isEqualTo(text);
    }

    @Property
    void tokensSurviveTheirText(@ForAll("texts") String text) {
        LongList ids = StandInTokenizer.tokenize(text);
        assertThat(StandInTokenizer.tokenize(StandInTokenizer.detokenize(ids))).isEqualTo(ids);
    }

    @Property
    void aLongerTextKeepsTheTokensOfItsPrefixButTheLast(@ForAll("texts") String prefix, @ForAll("texts") String rest) {
        LongList shorter = StandInTokenizer.tokenize(prefix);
        LongList longer = StandInTokenizer.tokenize(prefix + rest);
        int kept = Math.max(0, shorter.size() - 1);
        assertThat(longer.size()).isGreaterThanOrEqualTo(kept);
        assertThat(longer.subList(0, kept)).isEqualTo(shorter.subList(0, kept));
    }

    @Property
    void idsFitInJsonAndAreNoSpecials(@ForAll("texts") String text) {
        assertThat(StandInTokenizer.tokenize(text))
                .allMatch(id -> id >= StandInTokenizer.FIRST_WORD && id < StandInTokenizer.MAX_ID);
    }

    @Property
    void generatedWordsAreOneTokenEachWhereverTheAnswerStands(@ForAll("texts") String before) {
        String answer = StandInTokenizer.word(10_000) + StandInTokenizer.word(10_001) + StandInTokenizer.word(910_001);
        LongList all = StandInTokenizer.tokenize(before + answer);
        assertThat(all.subList(all.size() - 3, all.size())).isEqualTo(LongArrayList.of(10_000, 10_001, 910_001));
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> parts = Arbitraries.oneOf(
                Arbitraries.strings().alpha().numeric().withChars(' ', '\n', '\t', '_', '.', '{', 'w').ofMaxLength(12),
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
        return text.codePoints().filter(c -> c < 0xD800 || c > 0xDFFF)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
