package dev.warmroute.router.proxy;

import dev.warmroute.router.event.RequestCompleted.EndedBy;
import java.util.concurrent.atomic.LongAdder;

/** What the proxy as a whole has done since it started. Thread-safe. */
public final class ProxyTotals {
    private final LongAdder accepted = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder clientGone = new LongAdder();
    private final LongAdder replicaFailed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder connections = new LongAdder();

    void acceptedRequest() {
        accepted.increment();
    }

    void ended(EndedBy by) {
        switch (by) {
            case FINISHED -> finished.increment();
            case CLIENT -> clientGone.increment();
            case REPLICA -> replicaFailed.increment();
            case ROUTER -> refused.increment();
        }
    }

    void malformedRequest() {
        malformed.increment();
    }

    void turnedAway() {
        turnedAway.increment();
    }

    void retried() {
        retries.increment();
    }

    void connected() {
        connections.increment();
    }

    void disconnected() {
        connections.decrement();
    }

    /** Requests taken to be routed. */
    public long accepted() {
        return accepted.sum();
    }

    /** Requests answered to their end. */
    public long finished() {
        return finished.sum();
    }

    /** Requests whose client left before their end. */
    public long clientGone() {
        return clientGone.sum();
    }

    /** Requests that a replica did not answer to their end. */
    public long replicaFailed() {
        return replicaFailed.sum();
    }

    /** Requests that the router answered with an error itself. */
    public long refused() {
        return refused.sum();
    }

    /** Requests refused before anything was routed: for their form, their size, or for asking for what is not served. */
    public long malformed() {
        return malformed.sum();
    }

    /** Clients turned away when they connected, because as many connections were open as may be. */
    public long clientsTurnedAway() {
        return turnedAway.sum();
    }

    /** Requests sent a second time, elsewhere or on a new connection. */
    public long retries() {
        return retries.sum();
    }

    /** Open connections of clients. */
    public long connections() {
        return connections.sum();
    }

    /** Accepted requests that have not ended. */
    public long open() {
        return accepted() - finished() - clientGone() - replicaFailed() - refused();
    }
}
