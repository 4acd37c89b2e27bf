package dev.warmroute.router.proxy;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Ids of requests, unique among all routers: 64 random bits of this process and a count. Seeds are derived from the same. */
final class RequestIds {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final long process = new SecureRandom().nextLong();
    private final String prefix = HexFormat.of().toHexDigits(process) + '-';
    private final AtomicLong next = new AtomicLong();

    long next() {
        return next.getAndIncrement();
    }

    String text(long n) {
        return prefix + Long.toHexString(n);
    }

    /** Seed of the request's randomness (SplitMix64). */
    long seed(long n) {
        long z = process + (n + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
