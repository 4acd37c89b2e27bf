package dev.warmroute.router.state;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** What was sent to each replica within a window of time up to now. */
final class RecentWork {
    private record Sent(String replica, long at, long tokens) {}

    private static final class Sum {
        private long requests;
        private long tokens;
    }

    private final long windowNanos;
    private final ArrayDeque<Sent> window = new ArrayDeque<>();
    private final Map<String, Sum> sums = new HashMap<>();

    RecentWork(long windowNanos) {
        this.windowNanos = windowNanos;
    }

    void sent(String replica, long tokens, long now) {
        window.addLast(new Sent(replica, now, tokens));
        Sum sum = sums.computeIfAbsent(replica, r -> new Sum());
        sum.requests++;
        sum.tokens += tokens;
    }

    /** Lets go what has left the window. */
    void expire(long now) {
        while (!window.isEmpty() && now - window.peekFirst().at >= windowNanos) {
            Sent gone = window.pollFirst();
            Sum sum = sums.get(gone.replica);
            sum.requests--;
            sum.tokens -= gone.tokens;
        }
    }

    long requests(String replica) {
        Sum sum = sums.get(replica);
        return sum == null ? 0 : sum.requests;
    }

    /** Uncached prompt tokens. */
    long tokens(String replica) {
        Sum sum = sums.get(replica);
        return sum == null ? 0 : sum.tokens;
    }
}
