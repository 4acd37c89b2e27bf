package dev.warmroute.router.proxy;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When an exchange ends unless bytes arrive. One timer serves the whole exchange: bytes only move the deadline, and the timer is
 * set anew only when that is now earlier than the timer. Used on one event loop only.
 */
final class Deadline {
    /** Who is waited for. */
    interface Waiting {
        /** Whether nothing can arrive because the client does not take what is there. */
        boolean clientIsSlow();

        void missed(String what);
    }

    private static final long NEVER = Long.MIN_VALUE;

    private final ScheduledExecutorService loop;
    private final LongSupplier clock;
    private final Waiting waiting;
    private long at = NEVER;
    private long within;
    private String otherwise = "";
    /** Null while no timer is set. */
    private Future<?> timer;

    private long timerAt;

    /**
     * @param loop the event loop that all of this is used on
     * @param clock nanoseconds
     */
    Deadline(ScheduledExecutorService loop, LongSupplier clock, Waiting waiting) {
        this.loop = loop;
        this.clock = clock;
        this.waiting = waiting;
    }

    /** Something must arrive within so long; 0 waits for ever. */
    void within(long nanos, String orElse) {
        within = nanos;
        otherwise = orElse;
        if (nanos <= 0) {
            at = NEVER;
            return;
        }
        at = clock.getAsLong() + nanos;
        if (timer == null) {
            setTimer(nanos);
        } else if (at < timerAt) {
            timer.cancel(false);
            setTimer(nanos);
        }
    }

    private void setTimer(long nanos) {
        timerAt = at;
        timer = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    /** Nothing need arrive any more. */
    void over() {
        at = NEVER;
    }

    private void look() {
        timer = null;
        if (at == NEVER) {
            return;
        }
        if (waiting.clientIsSlow()) {
            at = clock.getAsLong() + within;
        }
        long left = at - clock.getAsLong();
        if (left <= 0) {
            at = NEVER;
            waiting.missed(otherwise);
        } else {
            setTimer(left);
        }
    }
}
