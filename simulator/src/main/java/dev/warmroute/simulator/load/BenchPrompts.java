package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.warmroute.router.UserError;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What a benchmark asks: a set of prompts, asked in turn.
 *
 * @param name of the set, as it stands in the results
 * @param prompts at least one
 */
public record BenchPrompts(String name, List<BenchPrompt> prompts) {
    /**
     * Words of at most five letters: with the space before it each is one token for usual tokenizers and for a stand-in
     * replica.
     */
    private static final List<String> WORDS = List.of(
            "the", "of", "and", "in", "to", "is", "was", "for", "on", "with", "as", "by", "at", "from", "that", "this",
            "these", "which", "time", "year", "day", "part", "place", "case", "point", "side", "line", "road", "river",
            "house", "water", "light", "night", "small", "large", "long", "new", "old", "first", "last", "next",
            "early", "late", "open", "near", "far", "few", "many", "most", "some", "made", "found", "seen", "given",
            "known", "taken", "built", "held", "left", "began", "ended", "moved", "kept", "sent");

    private static final int SHORT_WORDS = 48;
    private static final int LONG_WORDS = 2_500;
    private static final int BUILT_IN = 8;
    private static final int DIGEST_BYTES = 6;

    public BenchPrompts {
        prompts = List.copyOf(prompts);
        if (prompts.isEmpty()) {
            throw new UserError(name + ": a benchmark needs at least one prompt");
        }
    }

    /** Eight questions of about 60 tokens. */
    public static BenchPrompts ofShort() {
        return madeUp("short", SHORT_WORDS);
    }

    /** Eight questions about texts, of about 2,500 tokens. */
    public static BenchPrompts ofLong() {
        return madeUp("long", LONG_WORDS);
    }

    private static BenchPrompts madeUp(String name, int words) {
        return new BenchPrompts(
                name,
                IntStream.range(0, BUILT_IN)
                        .mapToObj(i -> BenchPrompt.user(text(new SplittableRandom(1 + i), words)))
                        .toList());
    }

    private static String text(SplittableRandom random, int words) {
        StringBuilder text = new StringBuilder(words * 6 + 80);
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS.get(random.nextInt(WORDS.size())));
        }
        return text.append(". Write down what this text says, in your own words.")
                .toString();
    }

    /**
     * What tells these prompts from others, the system prompt in front of them included: 12 hexadecimal digits.
     *
     * @param systemPrompt empty for none
     */
    public String id(String systemPrompt) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(
                    JsonNodeFactory.instance.textNode(systemPrompt).toString().getBytes(StandardCharsets.UTF_8));
            prompts.forEach(p -> digest.update(p.messages().toString().getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
