package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Text as token identities and back, for formats that have text. Reading: a text counts as one token for every four bytes, and
 * texts that are equal are the same tokens; nothing of it is kept but a hash in memory. Writing: a token is four letters drawn
 * from its number, so that what is written is read with the same lengths; what a real tokenizer makes of it differs.
 */
final class Texts {
    /** English and code have about four bytes a token. */
    static final int BYTES_PER_TOKEN = 4;

    private static final int TEXT_BITS = 24;

    private final Map<Hash, Long> starts = new HashMap<>();
    private final MessageDigest digest;

    private record Hash(long high, long low) {}

    Texts() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Number of tokens that a text counts as. */
    static int tokens(String text) {
        return Math.ceilDiv(text.getBytes(StandardCharsets.UTF_8).length, BYTES_PER_TOKEN);
    }

    /** First token number of a text; equal texts have equal numbers. */
    long start(String text) {
        byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
        Hash key = new Hash(number(hash, 0), number(hash, 8));
        return starts.computeIfAbsent(key, h -> (long) starts.size() << TEXT_BITS);
    }

    private static long number(byte[] bytes, int from) {
        long n = 0;
        for (int i = from; i < from + 8; i++) {
            n = n << 8 | bytes[i] & 0xff;
        }
        return n;
    }

    /** Text of the tokens of a prompt from a position on. */
    static String filler(Prompt prompt, int from) {
        StringBuilder text = new StringBuilder((prompt.tokens() - from) * BYTES_PER_TOKEN);
        int at = 0;
        for (int i = 0; i < prompt.spans(); i++) {
            int skip = Math.max(0, from - at);
            for (int j = skip; j < prompt.length(i); j++) {
                word(prompt.start(i) + j, text);
            }
            at += prompt.length(i);
        }
        return text.toString();
    }

    /** Text of consecutive tokens. */
    static String filler(long start, int tokens) {
        return filler(Prompt.of(start, tokens), 0);
    }

    private static void word(long token, StringBuilder text) {
        int letters = new Random(token).nextInt(26 * 26 * 26);
        text.append((char) ('a' + letters / 676))
                .append((char) ('a' + letters / 26 % 26))
                .append((char) ('a' + letters % 26))
                .append(' ');
    }
}
