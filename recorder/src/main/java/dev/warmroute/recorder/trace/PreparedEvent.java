package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.router.event.Topic;
import java.util.Optional;

/**
 * An event with what its segment and the manifest say about it, worked out by an {@link EventPreparer} ahead of writing.
 * Belongs to whoever writes it.
 */
public final class PreparedEvent {
    private final RecordedEvent event;
    private final TypedValues values;
    private final boolean readable;
    private final long timeUs;
    private final Optional<Writer> writer;

    PreparedEvent(RecordedEvent event, TypedValues values, boolean readable, Optional<Writer> writer) {
        this.event = event;
        this.values = values;
        this.readable = readable;
        this.timeUs = event.timeUs();
        this.writer = writer;
    }

    public RecordedEvent event() {
        return event;
    }

    /** Hash of the conversation that the event is about; empty when it is about none. */
    public Optional<String> session() {
        Optional<String> text = event.tombstone() ? Optional.of(event.key()) : values.text("session");
        if (event.topic() == Topic.HOMES) { // SESSION/AGENT, and in a key @MODEL
            return text.map(t -> t.split("[/@]", 2)[0]);
        }
        return text;
    }

    /** Model that the event is about; empty when it is about none. */
    public Optional<String> model() {
        return event.tombstone()
                ? Optional.of(event.key().substring(event.key().indexOf('@') + 1))
                : values.text("model");
    }

    TypedValues values() {
        return values;
    }

    /** Whether the value is a JSON object or a tombstone. */
    boolean readable() {
        return readable;
    }

    long timeUs() {
        return timeUs;
    }

    Optional<Writer> writer() {
        return writer;
    }
}
