package dev.warmroute.simulator.replica;

import dev.warmroute.recorder.trace.Prompt;
import it.unimi.dsi.fastutil.longs.LongList;

/**
 * Turns token ids into the engine's token space, block by block, so that the engine keeps one entry for a block of text and
 * not one for each of its tokens: a full block becomes one span whose start is a 62-bit hash of its ids. Equal blocks are
 * equal spans; different ones differ but for one chance in 2^62 a pair.
 *
 * <p>Two kinds of tokens keep their ids: those of a last, partial block, because the answer will fill it up, and those of a
 * block that holds a generated word, because the engine knows that block as the tokens it generated. Both are told by
 * content and position alone, so the same history always becomes the same spans.
 */
final class PromptSpans {
    /** Generated words are numbered from here on, above the words of an ordinary test prompt. */
    static final long FIRST_GENERATED = 10_000;

    private static final long LAST_GENERATED = 1L << 30;
    private static final long HASHED = 1L << 62;

    private PromptSpans() {}

    /** @param salt takes part in the first block, and so in every prefix; empty for none */
    static Prompt of(LongList ids, String salt, int blockSize) {
        Prompt.Builder prompt = Prompt.builder();
        int full = ids.size() / blockSize * blockSize;
        for (int from = 0; from < full; from += blockSize) {
            if (holdsGenerated(ids, from, blockSize)) {
                asTheyAre(ids, from, from + blockSize, salt, prompt);
            } else {
                prompt.span(HASHED | hash(ids, from, from + blockSize, from == 0 ? salt : "") >>> 2, blockSize);
            }
        }
        asTheyAre(ids, full, ids.size(), salt, prompt);
        return prompt.build();
    }

    /** Returns a hash of ids {@code from} to {@code to}, exclusive, and of a salt. */
    static long hash(LongList ids, int from, int to, String salt) {
        long hash = 0x9E3779B97F4A7C15L ^ salt.hashCode();
        for (int i = from; i < to; i++) {
            hash = (hash ^ ids.getLong(i)) * 0xBF58476D1CE4E5B9L;
            hash ^= hash >>> 29;
        }
        hash *= 0x94D049BB133111EBL;
        return hash ^ hash >>> 32;
    }

    private static boolean holdsGenerated(LongList ids, int from, int length) {
        for (int i = from; i < from + length; i++) {
            long id = ids.getLong(i);
            if (id >= FIRST_GENERATED && id < LAST_GENERATED) {
                return true;
            }
        }
        return false;
    }

    private static void asTheyAre(LongList ids, int from, int to, String salt, Prompt.Builder prompt) {
        for (int i = from; i < to; i++) {
            long id = ids.getLong(i);
            prompt.span(i == 0 && !salt.isEmpty() ? HASHED | hash(ids, 0, 1, salt) >>> 2 : id, 1);
        }
    }
}
