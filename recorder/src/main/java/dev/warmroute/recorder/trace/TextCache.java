package dev.warmroute.recorder.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns the bytes of a column into strings, one string for bytes that were seen lately: kinds, replicas, sessions and sources
 * repeat from row to row. Not thread-safe.
 */
public final class TextCache {
    private static final int SLOTS = 1 << 10;

    private final byte[][] bytes = new byte[SLOTS][];
    private final String[] texts = new String[SLOTS];

    /** The string whose UTF-8 bytes these are. */
    public String text(byte[] from, int start, int end) {
        int hash = end - start;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + from[i];
        }
        int slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
        byte[] cached = bytes[slot];
        if (cached == null || !Arrays.equals(cached, 0, cached.length, from, start, end)) {
            bytes[slot] = Arrays.copyOfRange(from, start, end);
            texts[slot] = new String(from, start, end - start, StandardCharsets.UTF_8);
        }
        return texts[slot];
    }
}
