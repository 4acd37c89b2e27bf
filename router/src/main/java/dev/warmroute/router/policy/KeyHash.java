package dev.warmroute.router.policy;

/** 64-bit hashes of keys and names for placement: FNV-1a, then the finalizer of SplitMix64, so that every bit counts. */
final class KeyHash {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private KeyHash() {}

    static long of(String text) {
        return mix(fnv(OFFSET, text));
    }

    /** Hash of a pair; other than that of the two texts in one. */
    static long of(String first, String second) {
        return mix(fnv((fnv(OFFSET, first) ^ 0x1f) * PRIME, second));
    }

    /** Hash number {@code n} of something that has a hash. */
    static long of(long hash, int n) {
        return mix(hash + n * 0x9E3779B97F4A7C15L);
    }

    private static long fnv(long from, String text) {
        long hash = from;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
        return hash;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
