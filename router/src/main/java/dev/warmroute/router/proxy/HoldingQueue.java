package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.ModelRoute.Routed;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The requests of one model that are held here, by the ticket under which they wait. Used under the model's lock only. */
final class HoldingQueue {
    /** Somebody whose request is held. */
    interface Waiter {
        /** The request has been decided about, and its place is taken; called under the model's lock, so: only hand it on. */
        void placed(Routed routed);

        /** Calls back after so long, on a thread of its own choice. */
        void later(Runnable look, long nanos);
    }

    /** A request that is held, from then until its exchange has taken note of where it goes, or has left. */
    static final class Held {
        private final long ticket;
        private final Waiter waiter;
        private final Consumer<Routed> tell;
        private final Optional<Routed> failed;
        private Optional<Routed> placed = Optional.empty();

        private Held(long ticket, Waiter waiter, Consumer<Routed> tell, Optional<Routed> failed) {
            this.ticket = ticket;
            this.waiter = waiter;
            this.tell = tell;
            this.failed = failed;
        }

        long ticket() {
            return ticket;
        }

        Waiter waiter() {
            return waiter;
        }

        /** The attempt before, which failed. */
        Optional<Routed> failed() {
            return failed;
        }

        /** The decision that placed it, once there is one. */
        Optional<Routed> placed() {
            return placed;
        }
    }

    private final Map<Long, Held> byTicket = new HashMap<>();

    int size() {
        return byTicket.size();
    }

    Held add(long ticket, Waiter waiter, Consumer<Routed> tell, Optional<Routed> failed) {
        Held held = new Held(ticket, waiter, tell, failed);
        byTicket.put(ticket, held);
        return held;
    }

    Held of(long ticket) {
        return byTicket.get(ticket);
    }

    /** It waits no longer: tells of the decision and hands it on. */
    void placed(Held held, Routed routed) {
        byTicket.remove(held.ticket);
        held.placed = Optional.of(routed);
        held.tell.accept(routed);
        held.waiter.placed(routed);
    }

    void remove(Held held) {
        byTicket.remove(held.ticket);
    }
}
