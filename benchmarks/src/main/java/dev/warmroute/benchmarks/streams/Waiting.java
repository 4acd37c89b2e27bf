package dev.warmroute.benchmarks.streams;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do. */
final class Waiting {
    private Waiting() {}

    /** Something that may become true. */
    @FunctionalInterface
    interface Condition {
        boolean holds();
    }

    /** Returns the milliseconds it took, looked at every millisecond; ends the drill when it takes longer than it may. */
    static double until(String what, int seconds, Condition condition) {
        long began = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(seconds)) {
                throw new IllegalStateException("waited for " + what + " for " + seconds + " s");
            }
            pause(1);
        }
        return (System.nanoTime() - began) / 1e6;
    }

    static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
