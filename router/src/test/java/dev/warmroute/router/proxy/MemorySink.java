package dev.warmroute.router.proxy;

import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.publish.EventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Keeps events in memory, each after a round trip through its wire format. */
public final class MemorySink implements EventSink {
    private final List<Event> events = new ArrayList<>();
    private final EventCodec codec = new EventCodec();

    @Override
    public synchronized void publish(Function<RouterIdentity, ? extends Event> event) {
        Event built = event.apply(new RouterIdentity("test", 1, events.size()));
        events.add(codec.decode(EventType.of(built), codec.encode(built)));
    }

    public synchronized <T extends Event> List<T> all(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
