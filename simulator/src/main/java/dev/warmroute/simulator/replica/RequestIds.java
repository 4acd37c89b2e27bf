package dev.warmroute.simulator.replica;

import java.util.HexFormat;
import java.util.SplittableRandom;

/** Ids of answers: what the client sent as {@code X-Request-Id}, or 16 random hexadecimal digits. */
final class RequestIds {
    private static final int LONGEST = 256;

    private final SplittableRandom random = new SplittableRandom();

    /** @param asked the client's header, or null when there is none */
    String of(String asked) {
        if (asked != null && !asked.isBlank() && asked.length() <= LONGEST) {
            return asked;
        }
        return HexFormat.of().toHexDigits(random.nextLong());
    }
}
