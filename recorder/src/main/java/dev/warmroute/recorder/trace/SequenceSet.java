package dev.warmroute.recorder.trace;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of sequence numbers, a bit each, in chunks: a segment has the numbers of one partition, which leave out those of all
 * others, so ranges would be as many as numbers. Not thread-safe.
 */
final class SequenceSet {
    private static final int CHUNK_BITS = 15;
    private static final int CHUNK_WORDS = 1 << (CHUNK_BITS - 6);

    /** Every chunk that holds all its numbers, as all but the last few of a long recording do. Never written to. */
    private static final long[] FULL = new long[CHUNK_WORDS];

    static {
        Arrays.fill(FULL, -1L);
    }

    private final TreeMap<Long, long[]> chunks = new TreeMap<>();
    private long lastKey = Long.MIN_VALUE;
    private long[] lastChunk = FULL;

    /** Adds a number of at least 0. */
    void add(long number) {
        long key = number >> CHUNK_BITS;
        if (key != lastKey) {
            lastKey = key;
            lastChunk = chunks.computeIfAbsent(key, k -> new long[CHUNK_WORDS]);
        }
        if (lastChunk != FULL) {
            lastChunk[(int) (number >> 6) & (CHUNK_WORDS - 1)] |= 1L << number;
        }
    }

    void addAll(SequenceSet other) {
        other.chunks.forEach(this::addChunk);
        lastKey = Long.MIN_VALUE;
    }

    private void addChunk(long key, long[] words) {
        long[] mine = chunks.get(key);
        if (mine == FULL) {
            return;
        }
        if (mine == null) {
            chunks.put(key, words == FULL ? FULL : words.clone());
            return;
        }
        boolean full = true;
        for (int i = 0; i < CHUNK_WORDS; i++) {
            mine[i] |= words[i];
            full &= mine[i] == -1L;
        }
        if (full) {
            chunks.put(key, FULL);
        }
    }

    void addAll(SequenceRanges ranges) {
        for (SequenceRanges.Range r : ranges.ranges()) {
            for (long number = r.from(); number <= r.to(); ) {
                long key = number >> CHUNK_BITS;
                long end = Math.min(r.to(), ((key + 1) << CHUNK_BITS) - 1);
                if (number == key << CHUNK_BITS && end == ((key + 1) << CHUNK_BITS) - 1) {
                    chunks.put(key, FULL);
                    lastKey = Long.MIN_VALUE;
                } else {
                    for (long n = number; n <= end; n++) {
                        add(n);
                    }
                }
                number = end + 1;
            }
        }
    }

    /** Forgets the numbers up to this one. */
    void dropThrough(long number) {
        if (number < 0) {
            return;
        }
        long key = (number + 1) >> CHUNK_BITS;
        chunks.headMap(key).clear();
        long[] border = chunks.get(key);
        if (border != null) {
            long[] left = border.clone();
            int kept = (int) (number + 1) & ((1 << CHUNK_BITS) - 1);
            Arrays.fill(left, 0, kept >> 6, 0L);
            left[kept >> 6] &= -1L << kept;
            chunks.put(key, left);
        }
        lastKey = Long.MIN_VALUE;
    }

    /** The greatest number; -1 when there is none. */
    long last() {
        for (Map.Entry<Long, long[]> chunk : chunks.descendingMap().entrySet()) {
            long[] words = chunk.getValue();
            for (int w = CHUNK_WORDS - 1; w >= 0; w--) {
                if (words[w] != 0) {
                    return (chunk.getKey() << CHUNK_BITS) + ((long) w << 6) + 63 - Long.numberOfLeadingZeros(words[w]);
                }
            }
        }
        return -1;
    }

    SequenceRanges ranges() {
        SequenceRanges out = new SequenceRanges();
        long from = -1;
        long expected = -1;
        for (Map.Entry<Long, long[]> chunk : chunks.entrySet()) {
            long[] words = chunk.getValue();
            for (int w = 0; w < CHUNK_WORDS; w++) {
                long base = (chunk.getKey() << CHUNK_BITS) + ((long) w << 6);
                for (long bits = words[w]; bits != 0; bits &= bits - 1) {
                    long number = base + Long.numberOfTrailingZeros(bits);
                    if (number != expected) {
                        if (from >= 0) {
                            out.add(from, expected - 1);
                        }
                        from = number;
                    }
                    expected = number + 1;
                }
            }
        }
        if (from >= 0) {
            out.add(from, expected - 1);
        }
        return out;
    }
}
