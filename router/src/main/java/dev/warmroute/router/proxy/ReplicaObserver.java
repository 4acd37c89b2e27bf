package dev.warmroute.router.proxy;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.event.ControlEvent.ReplicaDown;
import dev.warmroute.router.event.ControlEvent.ReplicaUp;
import dev.warmroute.router.proxy.Replica.Standing;
import dev.warmroute.router.proxy.ReplicaHealth.Change;
import dev.warmroute.router.publish.EventSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of replicas that come and go, wherever it was seen. Thread-safe. */
final class ReplicaObserver {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaObserver.class);

    private final EventSink events;
    private final RouterClock clock;
    private volatile ReplicaListener listener = ReplicaListener.NONE;

    ReplicaObserver(EventSink events, RouterClock clock) {
        this.events = events;
        this.clock = clock;
    }

    /** From now on this one hears, too. */
    void listener(ReplicaListener other) {
        listener = other;
    }

    void succeeded(Replica replica) {
        if (replica.health().succeeded() == Change.WENT_UP && replica.standing() == Standing.SERVING) {
            LOG.info("replica {} is back", replica.id());
            up(replica);
        }
    }

    void failed(Replica replica, String reason) {
        if (replica.health().failed(reason, clock.nanos()) == Change.WENT_DOWN
                && replica.standing() == Standing.SERVING) {
            down(replica, reason);
        }
    }

    /** Publishes that a replica is chosen no more, because somebody said so. */
    void removed(Replica replica) {
        down(replica, "removed");
    }

    /** Publishes that a replica began to be drained, or serves again. */
    void drainChanged(Seat seat) {
        if (seat.member().draining()) {
            down(seat.replica(), Seat.DRAINING);
        } else if (seat.replica().health().up()) {
            up(seat.replica());
        }
    }

    private void down(Replica replica, String reason) {
        LOG.warn("replica {} is out: {}", replica.id(), reason);
        long at = clock.epochMicros(clock.nanos());
        events.publish(router -> new ReplicaDown(at, replica.id(), reason, router));
        listener.down(replica.id());
    }

    /** Publishes that a replica answers. */
    void up(Replica replica) {
        long at = clock.epochMicros(clock.nanos());
        events.publish(router ->
                new ReplicaUp(at, replica.id(), replica.config().url().toString(), replica.engineVersion(), router));
        listener.up(replica.id());
    }
}
