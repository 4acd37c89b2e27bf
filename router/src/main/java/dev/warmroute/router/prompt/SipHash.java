package dev.warmroute.router.prompt;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash of 64 bits, made so that nobody without the key can find inputs for
 * an output or the other way round, at a tenth of the price of HMAC-SHA256 for messages as short as these. A message is fed
 * in little-endian words; not thread-safe.
 */
final class SipHash {
    private final long k0;
    private final long k1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    SipHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /** Begins a message. */
    void begin() {
        v0 = k0 ^ 0x736f6d6570736575L;
        v1 = k1 ^ 0x646f72616e646f6dL;
        v2 = k0 ^ 0x6c7967656e657261L;
        v3 = k1 ^ 0x7465646279746573L;
    }

    /** The message's next eight bytes. */
    void word(long m) {
        v3 ^= m;
        round();
        round();
        v0 ^= m;
    }

    /**
     * Ends the message.
     *
     * @param rest its last bytes, fewer than eight, the first one lowest
     * @param length of the whole message in bytes
     */
    long end(long rest, int length) {
        word(rest | (long) length << 56);
        v2 ^= 0xff;
        round();
        round();
        round();
        round();
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
    }
}
