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

    private final TreeMap<Long, long[]> chunks = new TreeMap<>();
    private long lastKey = Long.MIN_VALUE;
    private long[] lastChunk = new long[0];

    /** Adds a number of at least 0. */
    void add(long number) {
        long key = number >> CHUNK_BITS;
        if (key != lastKey) {
            lastKey = key;
            lastChunk = chunks.computeIfAbsent(key, k -> new long[CHUNK_WORDS]);
        }
        lastChunk[(int) (number >> 6) & (CHUNK_WORDS - 1)] |= 1L << number;
    }

    void addAll(SequenceSet other) {
        other.chunks.forEach((key, words) -> {
            long[] mine = chunks.computeIfAbsent(key, k -> new long[CHUNK_WORDS]);
            for (int i = 0; i < CHUNK_WORDS; i++) {
                mine[i] |= words[i];
            }
        });
    }

    void addAll(SequenceRanges ranges) {
        for (SequenceRanges.Range r : ranges.ranges()) {
            for (long number = r.from(); number <= r.to(); ) {
                long key = number >> CHUNK_BITS;
                long end = Math.min(r.to(), ((key + 1) << CHUNK_BITS) - 1);
                if (number == key << CHUNK_BITS && end == ((key + 1) << CHUNK_BITS) - 1) {
                    Arrays.fill(chunks.computeIfAbsent(key, k -> new long[CHUNK_WORDS]), -1L);
                } else {
                    for (long n = number; n <= end; n++) {
                        add(n);
                    }
                }
                number = end + 1;
            }
        }
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
