package dev.warmroute.router.proxy;

import java.util.concurrent.TimeUnit;

/**
 * When an exchange ends unless bytes arrive. One timer serves the whole exchange: bytes only move the deadline. Used on one
 * event loop only.
 */
final class Deadline {
    /** Who is waited for. */
    interface Waiting {
        /** Whether nothing can arrive because the client does not take what is there. */
        boolean clientIsSlow();

        void missed(String what);
    }

    private static final long NEVER = Long.MIN_VALUE;

    private final Loop loop;
    private final Waiting waiting;
    private long at = NEVER;
    private long within;
    private String otherwise = "";
    private boolean timed;

    Deadline(Loop loop, Waiting waiting) {
        this.loop = loop;
        this.waiting = waiting;
    }

    /** Something must arrive within so long; 0 waits for ever. */
    void within(long nanos, String orElse) {
        within = nanos;
        otherwise = orElse;
        at = nanos > 0 ? loop.now() + nanos : NEVER;
        if (nanos > 0 && !timed) {
            timed = true;
            loop.executor().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Nothing need arrive any more. */
    void over() {
        at = NEVER;
    }

    private void look() {
        timed = false;
        if (at == NEVER) {
            return;
        }
        if (waiting.clientIsSlow()) {
            at = loop.now() + within;
        }
        long left = at - loop.now();
        if (left <= 0) {
            at = NEVER;
            waiting.missed(otherwise);
        } else {
            timed = true;
            loop.executor().schedule(this::look, left, TimeUnit.NANOSECONDS);
        }
    }
}
