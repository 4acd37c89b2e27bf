package dev.warmroute.router.publish;

import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RouterIdentity;
import java.util.function.Function;

/**
 * Where the router's events go. Whoever has an event to tell hands over a function that builds it; the sink numbers it and
 * has it built and written later, on its own thread, so that telling costs the data path next to nothing.
 */
@FunctionalInterface
public interface EventSink {
    /** Drops everything; for tests, and for routers that record nothing. */
    EventSink NONE = event -> {};

    /**
     * Takes an event. Never blocks, never throws because of what is behind it, and may be called from any thread. Events of
     * one thread keep their order.
     *
     * @param event builds the event once its place in the router's sequence is known; called at most once, on another
     *     thread, so it must only close over values that no longer change
     */
    void publish(Function<RouterIdentity, ? extends Event> event);
}
