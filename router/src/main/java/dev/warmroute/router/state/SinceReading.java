package dev.warmroute.router.state;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What was sent to each replica since its counters were last read: what their readings cannot know yet. As in vLLM's own
 * balancer, a new reading replaces all that was sent before it became known, also what left after it was taken.
 */
final class SinceReading {
    /** Ages come in milliseconds: the moment of one reading seems to move by that much. */
    private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final class Sent {
        private long readAt = Long.MIN_VALUE;
        private long requests;
        private long tokens;
    }

    private final Map<String, Sent> byReplica = new HashMap<>();

    /** Takes note of the moment of a replica's last reading. */
    void read(String replica, long ageMillis, long now) {
        long at = now - TimeUnit.MILLISECONDS.toNanos(ageMillis);
        Sent sent = byReplica.computeIfAbsent(replica, r -> new Sent());
        if (sent.readAt == Long.MIN_VALUE || at - sent.readAt > ROUNDING_NANOS) {
            sent.readAt = at;
            sent.requests = 0;
            sent.tokens = 0;
        }
    }

    void sent(String replica, long tokens) {
        Sent sent = byReplica.computeIfAbsent(replica, r -> new Sent());
        sent.requests++;
        sent.tokens += tokens;
    }

    long requests(String replica) {
        Sent sent = byReplica.get(replica);
        return sent == null ? 0 : sent.requests;
    }

    /** Uncached prompt tokens. */
    long tokens(String replica) {
        Sent sent = byReplica.get(replica);
        return sent == null ? 0 : sent.tokens;
    }
}
