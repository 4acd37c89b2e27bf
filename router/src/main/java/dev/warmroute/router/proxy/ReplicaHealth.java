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

    private static final String NOT_CHECKED = "not_checked_yet";

    private volatile boolean up;
    private int failures;
    private String why = NOT_CHECKED;
    private long triedAfter;

    private ReplicaHealth(boolean up, long triedAfter) {
        this.up = up;
        this.triedAfter = triedAfter;
    }

    /** Of a replica that is believed to be up until it fails: one that a router starts with. */
    static ReplicaHealth trusted() {
        return new ReplicaHealth(true, 0);
    }

    /** Of a replica that has to pass a check before it is chosen: one that comes to a running router. */
    static ReplicaHealth unproven(long now) {
        return new ReplicaHealth(false, now + Long.MAX_VALUE / 2);
    }

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
