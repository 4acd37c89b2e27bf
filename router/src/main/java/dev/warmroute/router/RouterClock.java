package dev.warmroute.router;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The router's time: nanoseconds that never go backwards, and the wall clock that belongs to them, so that the times of one
 * event can be subtracted from each other.
 */
public interface RouterClock {
    /** Monotonic nanoseconds from an arbitrary origin. */
    long nanos();

    /** Microseconds since the epoch at a moment of {@link #nanos}. */
    long epochMicros(long nanos);

    /** This machine's clocks, tied together now. */
    static RouterClock system() {
        long origin = System.nanoTime();
        Instant now = Instant.now();
        long originMicros = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
        return new RouterClock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public long epochMicros(long nanos) {
                return originMicros + Math.floorDiv(nanos - origin, 1000L);
            }
        };
    }
}
