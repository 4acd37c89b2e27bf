package dev.warmroute.router.proxy;

import java.util.concurrent.TimeUnit;

/**
 * Whether a replica may be chosen. Three failed connections or checks in a row take it out for five seconds; then one request
 * (or check) at a time may try it, and its success brings it back. A slow answer is not a failure: busy is not dead.
 * Thread-safe.
 */
final class ReplicaHealth {
    /** What an observation changed. */
    enum Change {
        NONE,
        WENT_UP,
        WENT_DOWN
    }

    static final int FAILURES = 3;
    static final long OUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private volatile boolean up = true;
    private int failures;
    private String why = "";
    private long triedAfter;

    /** Why the replica may not be chosen; empty when it may. */
    String reason(long now) {
        return up ? "" : reasonWhileOut(now);
    }

    private synchronized String reasonWhileOut(long now) {
        return up || now - triedAfter >= 0 ? "" : why;
    }

    /** Says that a request was sent there: while the replica is out, nobody else tries until this one has had its time. */
    void chosen(long now) {
        if (!up) {
            synchronized (this) {
                triedAfter = now + OUT_NANOS;
            }
        }
    }

    /** It accepted a connection, answered or passed its check. */
    Change succeeded() {
        if (up && failures == 0) {
            return Change.NONE;
        }
        synchronized (this) {
            failures = 0;
            boolean wasUp = up;
            up = true;
            return wasUp ? Change.NONE : Change.WENT_UP;
        }
    }

    /** It refused a connection or failed its check. */
    synchronized Change failed(String reason, long now) {
        failures++;
        why = reason;
        triedAfter = now + OUT_NANOS;
        if (up && failures >= FAILURES) {
            up = false;
            return Change.WENT_DOWN;
        }
        return Change.NONE;
    }

    boolean up() {
        return up;
    }
}
